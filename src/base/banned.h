/*
 * banned.h - functions that must not compile. Force-included for every file of src/.
 *
 * strcpy and friends overflow; strtok keeps hidden state; the time functions would make output differ
 * from run to run; system and popen would execute what we analyse.
 */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BANNED(name) banned_function_##name

#undef strcpy
#define strcpy BANNED(strcpy)
#undef strcat
#define strcat BANNED(strcat)
#undef strncpy
#define strncpy BANNED(strncpy)
#undef strncat
#define strncat BANNED(strncat)
#undef sprintf
#define sprintf BANNED(sprintf)
#undef vsprintf
#define vsprintf BANNED(vsprintf)
#undef strtok
#define strtok BANNED(strtok)
#undef strtok_r
#define strtok_r BANNED(strtok_r)
#undef atoi
#define atoi BANNED(atoi)
#undef ctime
#define ctime BANNED(ctime)
#undef asctime
#define asctime BANNED(asctime)
#undef localtime
#define localtime BANNED(localtime)
#undef system
#define system BANNED(system)
#undef popen
#define popen BANNED(popen)

#endif
