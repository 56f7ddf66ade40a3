/* version.h - the program's own version and that of the result's form. */
#ifndef REPORT_VERSION_H
#define REPORT_VERSION_H

#define TOOL_NAME      "pdmigrate"
#define TOOL_VERSION   "0.1.0"
#define SCHEMA_VERSION "1.0"

#endif
