// version: of this library, the program and their files' writers. CMake reads it here.
#pragma once

#define SLUICE_VERSION "0.1.0"
