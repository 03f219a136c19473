# SPDX-License-Identifier: Apache-2.0
# find_package(arenite) gives arenite::arenite (static), arenite::shared and arenite::tensorflowlite_c.
include("${CMAKE_CURRENT_LIST_DIR}/areniteTargets.cmake")
