//! Nothing of its own: the build scripts of the dependencies leave the static archives.
