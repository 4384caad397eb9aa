#pragma once
// The observers of a session, for modules outside capture: bodies, downloads, the screencast.
// Session::observers().

#include "capture/observe/observers.hpp"
