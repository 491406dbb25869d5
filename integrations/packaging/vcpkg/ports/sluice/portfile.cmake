# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# An overlay port of this copy of the sources: vcpkg install sluice --overlay-ports=integrations/packaging/vcpkg/ports
# Not run where the project is tested, which has no vcpkg.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../../../.." ABSOLUTE)
vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS -DSLUICE_BUILD_APPS=OFF -DSLUICE_INSTALL=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/sluice)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
