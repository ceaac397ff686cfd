//! How much memory the operating system can still provide, queried per system. A failed allocation does not tell on systems that overcommit
//! (Linux, macOS).

pub(super) use system::available;

/// `/proc`, and the limit of the process's control group.
#[cfg(any(target_os = "linux", target_os = "android"))]
mod system {
    /// Bytes that the operating system can still provide, if it reports them.
    pub(crate) fn available() -> Option<usize> {
        let read = |path| std::fs::read_to_string(path).ok();
        let group = read("/sys/fs/cgroup/memory.max").and_then(|text| text.trim().parse().ok());
        let free = read("/proc/meminfo").and_then(|text| free_of(&text));
        free.into_iter().chain(group).min()
    }

    /// Free memory and swap, from the lines of `/proc/meminfo`.
    pub(super) fn free_of(text: &str) -> Option<usize> {
        let field = |name: &str| -> Option<usize> {
            let line = text.lines().find_map(|line| line.strip_prefix(name))?;
            line.trim_start_matches(':')
                .trim()
                .strip_suffix("kB")?
                .trim()
                .parse::<usize>()
                .ok()?
                .checked_mul(1024)
        };
        Some(field("MemAvailable")?.saturating_add(field("SwapFree").unwrap_or(0)))
    }
}

/// `GlobalMemoryStatusEx`: what the process can still commit, and what its addresses can hold.
#[cfg(windows)]
mod system {
    #![expect(unsafe_code, reason = "a function of the system that the standard library does not offer")]

    #[repr(C)]
    #[derive(Default)]
    struct MemoryStatus {
        length: u32,
        load: u32,
        total_physical: u64,
        available_physical: u64,
        total_commit: u64,
        available_commit: u64,
        total_virtual: u64,
        available_virtual: u64,
        available_extended: u64,
    }

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GlobalMemoryStatusEx(status: *mut MemoryStatus) -> i32;
    }

    /// Bytes that the operating system can still provide, if it reports them.
    pub(crate) fn available() -> Option<usize> {
        let mut status = MemoryStatus { length: size_of::<MemoryStatus>() as u32, ..MemoryStatus::default() };
        // SAFETY: the struct of the system's documentation, with its length, writable during the call.
        let succeeded = unsafe { GlobalMemoryStatusEx(&raw mut status) };
        let bytes = status.available_commit.min(status.available_virtual);
        (succeeded != 0).then(|| usize::try_from(bytes).unwrap_or(usize::MAX))
    }
}

/// `host_statistics64`: pages that are free or that can be reused at once.
#[cfg(target_os = "macos")]
mod system {
    #![expect(unsafe_code, reason = "functions of the system that the standard library does not offer")]

    /// `HOST_VM_INFO64` of `mach/host_info.h`.
    const VM_INFO: i32 = 4;

    /// `vm_statistics64` of `mach/vm_statistics.h`, as far as `HOST_VM_INFO64_REV1_COUNT` goes.
    #[repr(C, align(8))]
    #[derive(Default)]
    struct Statistics {
        free: u32,
        active: u32,
        inactive: u32,
        wired: u32,
        rest: [u64; 17],
    }

    unsafe extern "C" {
        static mach_task_self_: u32;
        static vm_page_size: usize;
        fn mach_host_self() -> u32;
        fn mach_port_deallocate(task: u32, name: u32) -> i32;
        fn host_statistics64(host: u32, flavor: i32, info: *mut Statistics, count: *mut u32) -> i32;
    }

    /// Bytes that the operating system can still provide, if it reports them.
    pub(crate) fn available() -> Option<usize> {
        let mut found = Statistics::default();
        let mut count = (size_of::<Statistics>() / size_of::<u32>()) as u32;
        // SAFETY: the system writes at most `count` words into the struct, which has as many; the port is given back. Both statics
        // are set before a program begins and never change.
        let (result, page) = unsafe {
            let host = mach_host_self();
            let result = host_statistics64(host, VM_INFO, &raw mut found, &raw mut count);
            mach_port_deallocate(mach_task_self_, host);
            (result, vm_page_size)
        };
        (result == 0).then(|| (found.free as usize + found.inactive as usize).saturating_mul(page))
    }
}

/// `os_proc_available_memory`: what the process may still have before the system ends it.
#[cfg(all(target_vendor = "apple", not(target_os = "macos")))]
mod system {
    #![expect(unsafe_code, reason = "a function of the system that the standard library does not offer")]

    unsafe extern "C" {
        fn os_proc_available_memory() -> usize;
    }

    /// Bytes that the operating system can still provide, if it reports them.
    pub(crate) fn available() -> Option<usize> {
        // SAFETY: takes nothing, returns a number.
        let bytes = unsafe { os_proc_available_memory() };
        // 0 stands for a process without a limit.
        (bytes != 0).then_some(bytes)
    }
}

/// On other systems only the allocation itself tells.
#[cfg(not(any(target_os = "linux", target_os = "android", windows, target_vendor = "apple")))]
mod system {
    /// Bytes that the operating system can still provide, if it reports them.
    pub(crate) fn available() -> Option<usize> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(any(target_os = "linux", target_os = "android", windows, target_vendor = "apple"))]
    fn the_system_reports_free_memory() {
        let free = available().expect("a system that tells");
        assert!(free > 1 << 20, "{free} bytes are free");
    }

    #[test]
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn free_memory_is_read() {
        let text = "MemTotal:       24000000 kB\nMemAvailable:   20 kB\nSwapFree:          1 kB\n";
        assert_eq!(system::free_of(text), Some(21 * 1024));
        assert_eq!(system::free_of("MemAvailable:   20 kB\n"), Some(20 * 1024));
        assert_eq!(system::free_of("MemTotal: 5 kB"), None);
    }
}
