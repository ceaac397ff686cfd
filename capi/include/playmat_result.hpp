// playmat for C++17: spans, errors, results, owners of handles. A part of playmat.hpp, which is what programs include.
#ifndef PLAYMAT_RESULT_HPP
#define PLAYMAT_RESULT_HPP

#include "playmat.h"

#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define PLAYMAT_HAS_EXCEPTIONS 1
#include <stdexcept>
#endif
#if defined(__has_include)
#if __has_include(<span>) && __cplusplus >= 202002L
#include <span>
#define PLAYMAT_HAS_SPAN 1
#endif
#endif

namespace playmat {

#ifdef PLAYMAT_HAS_SPAN
template <class T>
using Span = std::span<T>;
#else
/// A view of elements, like std::span of C++20.
template <class T>
class Span {
public:
    constexpr Span() noexcept = default;
    constexpr Span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <std::size_t N>
    constexpr Span(T (&array)[N]) noexcept : data_(array), size_(N) {}
    /// Anything with data() and size() of convertible elements: vectors, arrays, strings, other spans.
    template <class C, class = std::enable_if_t<std::is_convertible_v<
                           std::remove_pointer_t<decltype(std::declval<C &>().data())> (*)[], T (*)[]>>>
    constexpr Span(C &&from) noexcept : data_(from.data()), size_(from.size()) {}
    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr T *begin() const noexcept { return data_; }
    constexpr T *end() const noexcept { return data_ + size_; }
    constexpr T &operator[](std::size_t i) const noexcept { return data_[i]; }
    constexpr Span subspan(std::size_t from, std::size_t count) const noexcept { return {data_ + from, count}; }

private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};
#endif

using Status = PlaymatStatus;
using GameInfo = PlaymatGameInfo;
using Segment = PlaymatSegment;
using ActionRange = PlaymatActionRange;
using Episode = PlaymatEpisode;
using Decision = PlaymatDecision;
using Sizes = PlaymatSizes;
using VecEpisode = PlaymatVecEpisode;
using SearchSizes = PlaymatSearchSizes;
using PictureSize = PlaymatPictureSize;

/// As a player: the one who acts next; after the end the one who acted last.
constexpr int32_t current_player = PLAYMAT_CURRENT_PLAYER;
/// As a viewer: sees everything.
constexpr int32_t view_all = PLAYMAT_VIEW_ALL;
/// As a number of decisions: all of them.
constexpr std::size_t all_decisions = PLAYMAT_ALL_DECISIONS;

/// Why a call was refused.
struct Error {
    Status status = PLAYMAT_STATUS_OK;
    std::string message;

    /// The last refusal of this thread.
    static Error last(Status status) { return Error{status, playmat_error_message()}; }
    /// Stable name, such as "illegal_action".
    const char *name() const { return playmat_status_name(static_cast<int32_t>(status)); }
};

#ifdef PLAYMAT_HAS_EXCEPTIONS
/// Thrown by value().
class Exception : public std::runtime_error {
public:
    explicit Exception(Error error) : std::runtime_error(error.message), status_(error.status) {}
    Status status() const noexcept { return status_; }

private:
    Status status_;
};
#endif

namespace detail {

[[noreturn]] inline void fail(const Error &error)
{
#ifdef PLAYMAT_HAS_EXCEPTIONS
    throw Exception(error);
#else
    static_cast<void>(error);
    std::abort();
#endif
}

template <class T, PlaymatStatus (*destroy)(T *)>
struct Deleter {
    void operator()(T *handle) const noexcept
    {
        while (destroy(handle) == PLAYMAT_STATUS_HANDLE_IN_USE)
            std::this_thread::yield();
    }
};

template <class T, PlaymatStatus (*destroy)(T *)>
using Handle = std::unique_ptr<T, Deleter<T, destroy>>;

} // namespace detail

/// A value, or the error of the refused call.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : value_(std::move(value)) {}
    Result(Error error) : error_(std::move(error)) {}
    /// Not of a Result<bool>, where it could be taken for the value.
    template <class U = T, class = std::enable_if_t<!std::is_same_v<U, bool>>>
    explicit operator bool() const noexcept
    {
        return value_.has_value();
    }
    bool ok() const noexcept { return value_.has_value(); }
    /// Only if there is a value.
    T &operator*() & noexcept { return *value_; }
    const T &operator*() const & noexcept { return *value_; }
    /// By value, so that the vector in `for (float x : *env.returns())` lives as long as the loop.
    T operator*() && { return std::move(*value_); }
    T *operator->() noexcept { return &*value_; }
    const T *operator->() const noexcept { return &*value_; }
    /// The value. A refusal throws Exception, or aborts if the program is compiled without exceptions.
    T &value() &
    {
        if (!value_)
            detail::fail(error_);
        return *value_;
    }
    T value() &&
    {
        if (!value_)
            detail::fail(error_);
        return std::move(*value_);
    }
    T value_or(T other) const { return value_ ? *value_ : std::move(other); }
    const Error &error() const noexcept { return error_; }
    Status status() const noexcept { return error_.status; }

private:
    std::optional<T> value_;
    Error error_;
};

/// Success, or the error of the refused call.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}
    explicit operator bool() const noexcept { return ok(); }
    bool ok() const noexcept { return error_.status == PLAYMAT_STATUS_OK; }
    void value() const
    {
        if (!ok())
            detail::fail(error_);
    }
    const Error &error() const noexcept { return error_; }
    Status status() const noexcept { return error_.status; }

private:
    Error error_;
};

namespace detail {

inline Result<void> done(PlaymatStatus status)
{
    if (status == PLAYMAT_STATUS_OK)
        return {};
    return Error::last(status);
}

/// One number or struct that a call writes.
template <class T, class F>
Result<T> one(F call)
{
    T out{};
    const PlaymatStatus status = call(&out);
    if (status == PLAYMAT_STATUS_OK)
        return out;
    return Error::last(status);
}

/// Elements that a call writes; calls again with a larger buffer if it was too small.
template <class C, class F>
Result<C> many(std::size_t room, F call)
{
    C out;
    for (;;) {
        out.resize(room);
        std::size_t needed = 0;
        const PlaymatStatus status = call(out.data(), out.size(), &needed);
        if (status == PLAYMAT_STATUS_OK) {
            out.resize(needed);
            return out;
        }
        if (status != PLAYMAT_STATUS_BUFFER_TOO_SMALL || needed <= room)
            return Error::last(status);
        room = needed;
    }
}

/// A text that a call writes.
template <class F>
Result<std::string> text(F call, std::size_t room = 1024)
{
    Result<std::string> out = many<std::string>(room, call);
    if (out)
        out->pop_back(); // its terminating zero
    return out;
}

/// An array with one entry per player.
template <class T, class F>
Result<std::vector<T>> per_player(std::size_t players, F call)
{
    std::vector<T> out(players);
    const PlaymatStatus status = call(out.data(), out.size());
    if (status == PLAYMAT_STATUS_OK)
        return out;
    return Error::last(status);
}

} // namespace detail

} // namespace playmat

#endif // PLAYMAT_RESULT_HPP
