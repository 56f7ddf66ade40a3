/* Brought by the target's tensor header; its names are not judged. */
#pragma once
