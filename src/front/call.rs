//! Where a request comes from.

/// What the entry knows of its caller.
#[derive(Clone, Copy)]
pub struct Call {
    /// Where the caller goes on; 0 if nobody can tell.
    pub site: usize,
    /// The stack pointer at the entry: on x86-64 the site lies there.
    pub stack: usize,
    /// The frame pointer's register at the entry, which need not hold one.
    pub frame: usize,
}

impl Call {
    pub const UNKNOWN: Call = Call {
        site: 0,
        stack: 0,
        frame: 0,
    };
}
