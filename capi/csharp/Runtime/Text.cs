using System;
using System.Text;

namespace Playmat
{
    /// <summary>Fills a buffer, as all text and byte outputs of playmat.h do.</summary>
    internal unsafe delegate Status Write(byte* room, UIntPtr size, UIntPtr* needed);

    /// <summary>Inputs and outputs of texts and bytes.</summary>
    internal static class Text
    {
        private const int FirstRoom = 16 * 1024;
        private const int MostKept = 1024 * 1024;
        private static readonly UTF8Encoding Strict = new UTF8Encoding(false, true);

        [ThreadStatic]
        private static byte[] kept;

        /// <summary>The text as UTF-8, null for null. An unpaired surrogate becomes a byte that the library refuses with its position.</summary>
        internal static byte[] Bytes(string text)
        {
            if (text == null)
                return null;
            try
            {
                return Strict.GetBytes(text);
            }
            catch (EncoderFallbackException bad)
            {
                byte[] good = Strict.GetBytes(text.Substring(0, bad.Index));
                Array.Resize(ref good, good.Length + 1);
                good[good.Length - 1] = 0xFF;
                return good;
            }
        }

        /// <summary>The length to pass with it. For null the library refuses it if a text is required.</summary>
        internal static UIntPtr Length(byte[] text)
        {
            return text == null ? NativeMethods.PLAYMAT_NTS : (UIntPtr)text.Length;
        }

        /// <summary>A text that lives in the library.</summary>
        internal static unsafe string Of(byte* text)
        {
            int length = 0;
            while (text[length] != 0)
                length++;
            return Encoding.UTF8.GetString(text, length);
        }

        /// <summary>A text that a call writes; null if it was refused.</summary>
        internal static Status TryRead(Write write, out string text, int room = FirstRoom)
        {
            byte[] bytes;
            int length;
            Status status = Fill(write, room, out bytes, out length);
            text = status == Status.Ok ? Encoding.UTF8.GetString(bytes, 0, length - 1) : null;
            return status;
        }

        /// <summary>A text that a call writes.</summary>
        internal static string Read(Write write, int room = FirstRoom)
        {
            string text;
            PlaymatException.Check(TryRead(write, out text, room));
            return text;
        }

        /// <summary>Bytes that a call writes.</summary>
        internal static byte[] ReadBytes(Write write, int room = FirstRoom)
        {
            byte[] bytes;
            int length;
            PlaymatException.Check(Fill(write, room, out bytes, out length));
            byte[] copy = new byte[length];
            Buffer.BlockCopy(bytes, 0, copy, 0, length);
            return copy;
        }

        /// <summary>Calls with a buffer of this thread, which grows if it is too small.</summary>
        private static unsafe Status Fill(Write write, int room, out byte[] bytes, out int length)
        {
            bytes = kept;
            if (bytes == null || bytes.Length < room)
                bytes = new byte[room];
            for (;;)
            {
                UIntPtr needed = UIntPtr.Zero;
                Status status;
                fixed (byte* start = bytes)
                    status = write(start, (UIntPtr)bytes.Length, &needed);
                length = Number.Int(needed);
                if (status == Status.BufferTooSmall && length > bytes.Length)
                {
                    bytes = new byte[length];
                    continue;
                }
                if (bytes.Length <= MostKept)
                    kept = bytes;
                return status;
            }
        }
    }

    /// <summary>Sizes of C as numbers of C#.</summary>
    internal static class Number
    {
        internal static int Int(UIntPtr size)
        {
            return checked((int)(ulong)size);
        }

        internal static long Long(UIntPtr size)
        {
            return checked((long)(ulong)size);
        }

        /// <summary>A size of C. A negative number becomes a size that is larger than memory, which the library refuses; -1 becomes the
        /// largest, which stands for all decisions of a replay.</summary>
        internal static UIntPtr Size(int number)
        {
            return UIntPtr.Size == 8 ? new UIntPtr(unchecked((ulong)number)) : new UIntPtr(unchecked((uint)number));
        }

        /// <summary>Elements of an array; null has none.</summary>
        internal static UIntPtr Size(Array array)
        {
            return array == null ? UIntPtr.Zero : (UIntPtr)array.Length;
        }
    }
}
