"""`make shake`: how far trained numbers move under other arithmetic and from nudged weights."""
