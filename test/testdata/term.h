#pragma once

static real term(real v) { return v * v; }
