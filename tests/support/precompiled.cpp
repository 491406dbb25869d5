// Nothing: what it includes, before its first line, is compiled for all tests (tests/CMakeLists.txt).
