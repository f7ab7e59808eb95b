// A CUDA driver without a GPU: the part of libcuda.so.1 that Warmpath uses, with device memory in the
// machine's own and the kernels compiled for the CPU. It is stricter than a driver where that finds
// mistakes: new memory holds NaN, every copy must lie within one allocation, every allocation has a
// border that is checked, and a kernel's parameters must be those of the PTX that was loaded.
//
// Environment (read at cuInit):
//   EMULATED_CUDA_MEMORY   bytes of device memory (default 1 GiB)
//   EMULATED_CUDA_FAULTS   FUNCTION:N:CODE,... the N-th call of the function answers CODE
//   EMULATED_CUDA_REVERSED 1: the last thread and block of a launch run first
//   EMULATED_CUDA_IDLE     name of a kernel that does nothing
#define _GNU_SOURCE
#include <ctype.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host_kernels.h"

typedef int CUresult;
typedef int CUdevice;
typedef uint64_t CUdeviceptr;

enum {
  SUCCESS = 0,
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NOT_INITIALIZED = 3,
  INVALID_DEVICE = 101,
  INVALID_IMAGE = 200,
  INVALID_CONTEXT = 201,
  INVALID_HANDLE = 400,
  NOT_FOUND = 500,
  ILLEGAL_ADDRESS = 700,
};

static const struct {
  int code;
  const char* name;
} names[] = {
    {0, "CUDA_SUCCESS"},
    {1, "CUDA_ERROR_INVALID_VALUE"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY"},
    {3, "CUDA_ERROR_NOT_INITIALIZED"},
    {46, "CUDA_ERROR_DEVICE_UNAVAILABLE"},
    {100, "CUDA_ERROR_NO_DEVICE"},
    {101, "CUDA_ERROR_INVALID_DEVICE"},
    {200, "CUDA_ERROR_INVALID_IMAGE"},
    {201, "CUDA_ERROR_INVALID_CONTEXT"},
    {214, "CUDA_ERROR_ECC_UNCORRECTABLE"},
    {218, "CUDA_ERROR_INVALID_PTX"},
    {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
    {400, "CUDA_ERROR_INVALID_HANDLE"},
    {500, "CUDA_ERROR_NOT_FOUND"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
    {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
    {702, "CUDA_ERROR_LAUNCH_TIMEOUT"},
    {719, "CUDA_ERROR_LAUNCH_FAILED"},
    {803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
    {999, "CUDA_ERROR_UNKNOWN"},
};

#define MOST_FAULTS 8
#define BORDER 64
#define BORDER_BYTE 0xA5

struct fault {
  char function[48];
  long call;
  int code;
};

struct allocation {
  unsigned char* start;
  size_t bytes;
  struct allocation* next;
};

struct module {
  char* ptx;
};

struct function {
  const struct host_kernel* kernel;
};

struct event {
  struct timespec recorded;
  int set;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct fault faults[MOST_FAULTS];
static int fault_count;
// Once a kernel or the device failed, every call of the process answers the same.
static int lost;
static int initialized;
static int backwards;
static const char* idle_kernel;
static size_t total_bytes = (size_t)1 << 30;
static size_t used_bytes;
static struct allocation* allocations;
static int the_context;
static _Thread_local int has_context;

static int is_lasting(int code) {
  return code == 46 || code == 214 || code == 700 || code == 702 || code == 719 || code == 999;
}

// What a call answers before it does anything: SUCCESS to go on.
static CUresult enter(const char* function) {
  pthread_mutex_lock(&lock);
  CUresult answer = lost;
  for (int i = 0; i < fault_count; i++) {
    if (strcmp(faults[i].function, function) == 0 && --faults[i].call == 0 && answer == SUCCESS) {
      answer = faults[i].code;
      if (is_lasting(answer)) {
        lost = answer;
      }
    }
  }
  if (answer == SUCCESS && !initialized) {
    answer = NOT_INITIALIZED;
  }
  pthread_mutex_unlock(&lock);
  return answer;
}

static CUresult enter_context(const char* function) {
  CUresult answer = enter(function);
  return answer == SUCCESS && !has_context ? INVALID_CONTEXT : answer;
}

#define ENTER()                               \
  do {                                        \
    CUresult answer = enter(__func__);        \
    if (answer != SUCCESS) return answer;     \
  } while (0)

#define ENTER_CONTEXT()                       \
  do {                                        \
    CUresult answer = enter_context(__func__); \
    if (answer != SUCCESS) return answer;     \
  } while (0)

// Mistakes of the caller that a real driver may let pass.
static CUresult refuse(CUresult code, const char* function, const char* why) {
  fprintf(stderr, "emulated CUDA: %s: %s\n", function, why);
  return code;
}

static void read_faults(const char* text) {
  while (text && *text && fault_count < MOST_FAULTS) {
    struct fault* fault = &faults[fault_count];
    if (sscanf(text, "%47[^:]:%ld:%d", fault->function, &fault->call, &fault->code) != 3) {
      fprintf(stderr, "emulated CUDA: EMULATED_CUDA_FAULTS: cannot read %s\n", text);
      abort();
    }
    fault_count++;
    text = strchr(text, ',');
    text = text ? text + 1 : NULL;
  }
}

CUresult cuInit(unsigned flags) {
  pthread_mutex_lock(&lock);
  if (!initialized) {
    const char* memory = getenv("EMULATED_CUDA_MEMORY");
    if (memory) {
      total_bytes = strtoull(memory, NULL, 10);
    }
    const char* order = getenv("EMULATED_CUDA_REVERSED");
    backwards = order && strcmp(order, "1") == 0;
    idle_kernel = getenv("EMULATED_CUDA_IDLE");
    read_faults(getenv("EMULATED_CUDA_FAULTS"));
    initialized = 1;
  }
  pthread_mutex_unlock(&lock);
  ENTER();
  return flags == 0 ? SUCCESS : INVALID_VALUE;
}

CUresult cuDriverGetVersion(int* version) {
  ENTER();
  *version = 12060;
  return SUCCESS;
}

CUresult cuGetErrorName(CUresult code, const char** name) {
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (names[i].code == code) {
      *name = names[i].name;
      return SUCCESS;
    }
  }
  *name = NULL;
  return INVALID_VALUE;
}

CUresult cuDeviceGetCount(int* count) {
  ENTER();
  *count = 1;
  return SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  ENTER();
  *device = 0;
  return ordinal == 0 ? SUCCESS : INVALID_DEVICE;
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  ENTER();
  (void)device;
  snprintf(name, length, "Emulated device");
  return SUCCESS;
}

CUresult cuDeviceGetAttribute(int* value, int attribute, CUdevice device) {
  ENTER();
  (void)device;
  switch (attribute) {
    case 13: *value = 1000000; return SUCCESS;  // clock rate in kHz
    case 16: *value = 2; return SUCCESS;        // multiprocessors
    case 75: *value = 9; return SUCCESS;        // compute capability, major
    case 76: *value = 0; return SUCCESS;        // and minor
    default: return refuse(INVALID_VALUE, __func__, "unknown attribute");
  }
}

CUresult cuDevicePrimaryCtxRetain(void** context, CUdevice device) {
  ENTER();
  (void)device;
  *context = &the_context;
  return SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  ENTER();
  (void)device;
  return SUCCESS;
}

CUresult cuCtxSetCurrent(void* context) {
  ENTER();
  if (context != NULL && context != &the_context) {
    return INVALID_CONTEXT;
  }
  has_context = context != NULL;
  return SUCCESS;
}

CUresult cuModuleLoadData(void** module, const void* image) {
  ENTER_CONTEXT();
  const char* ptx = image;
  if (!strstr(ptx, ".version 8.0") || !strstr(ptx, ".entry ")) {
    return refuse(INVALID_IMAGE, __func__, "not PTX of version 8.0");
  }
  struct module* loaded = malloc(sizeof *loaded);
  loaded->ptx = strdup(ptx);
  *module = loaded;
  return SUCCESS;
}

CUresult cuModuleUnload(void* module) {
  ENTER_CONTEXT();
  struct module* loaded = module;
  free(loaded->ptx);
  free(loaded);
  return SUCCESS;
}

// Whether the entry in the PTX takes parameters of the same sizes as the kernel for the CPU.
static int same_parameters(const char* ptx, const struct host_kernel* kernel) {
  char entry[96];
  snprintf(entry, sizeof entry, ".entry %s(", kernel->name);
  const char* at = strstr(ptx, entry);
  if (!at) {
    return 0;
  }
  const char* end = strchr(at + strlen(entry), ')');
  int count = 0;
  for (at = strstr(at, ".param ."); at && at < end; at = strstr(at + 1, ".param .")) {
    const char* type = at + strlen(".param .");
    size_t bits = strtoul(type + strcspn(type, "0123456789"), NULL, 10);
    if (count == kernel->parameters || kernel->sizes[count] * 8 != bits) {
      return 0;
    }
    count++;
  }
  return count == kernel->parameters;
}

CUresult cuModuleGetFunction(void** function, void* module, const char* name) {
  ENTER_CONTEXT();
  for (int i = 0; i < host_kernel_count; i++) {
    if (strcmp(host_kernels[i].name, name) == 0) {
      if (!same_parameters(((struct module*)module)->ptx, &host_kernels[i])) {
        return refuse(NOT_FOUND, name, "PTX and the kernel for the CPU differ in parameters");
      }
      struct function* found = malloc(sizeof *found);
      found->kernel = &host_kernels[i];
      *function = found;
      return SUCCESS;
    }
  }
  return NOT_FOUND;
}

CUresult cuMemAlloc_v2(CUdeviceptr* pointer, size_t bytes) {
  ENTER_CONTEXT();
  if (bytes == 0) {
    return INVALID_VALUE;
  }
  pthread_mutex_lock(&lock);
  CUresult answer = OUT_OF_MEMORY;
  if (bytes <= total_bytes - used_bytes) {
    struct allocation* made = malloc(sizeof *made);
    made->start = aligned_alloc(256, (bytes + BORDER + 255) / 256 * 256);
    made->bytes = bytes;
    // NaN in both forms: what is read before it was written shows.
    memset(made->start, 0xFF, bytes);
    memset(made->start + bytes, BORDER_BYTE, BORDER);
    made->next = allocations;
    allocations = made;
    used_bytes += bytes;
    *pointer = (CUdeviceptr)made->start;
    answer = SUCCESS;
  }
  pthread_mutex_unlock(&lock);
  return answer;
}

static int border_holds(const struct allocation* allocation) {
  for (int i = 0; i < BORDER; i++) {
    if (allocation->start[allocation->bytes + i] != BORDER_BYTE) {
      return 0;
    }
  }
  return 1;
}

static CUresult check_borders(const char* function) {
  CUresult answer = SUCCESS;
  pthread_mutex_lock(&lock);
  for (const struct allocation* one = allocations; one; one = one->next) {
    if (!border_holds(one)) {
      lost = ILLEGAL_ADDRESS;
      answer = refuse(ILLEGAL_ADDRESS, function, "a kernel wrote behind an allocation");
    }
  }
  pthread_mutex_unlock(&lock);
  return answer;
}

CUresult cuMemFree_v2(CUdeviceptr pointer) {
  ENTER_CONTEXT();
  CUresult answer = INVALID_VALUE;
  pthread_mutex_lock(&lock);
  for (struct allocation** at = &allocations; *at; at = &(*at)->next) {
    struct allocation* one = *at;
    if ((CUdeviceptr)one->start == pointer) {
      answer = border_holds(one) ? SUCCESS : ILLEGAL_ADDRESS;
      *at = one->next;
      used_bytes -= one->bytes;
      free(one->start);
      free(one);
      break;
    }
  }
  pthread_mutex_unlock(&lock);
  return answer == SUCCESS ? SUCCESS : refuse(answer, __func__, "not an allocation, or damaged");
}

CUresult cuMemGetInfo_v2(size_t* free_bytes, size_t* total) {
  ENTER_CONTEXT();
  pthread_mutex_lock(&lock);
  *free_bytes = total_bytes - used_bytes;
  *total = total_bytes;
  pthread_mutex_unlock(&lock);
  return SUCCESS;
}

static int is_inside(CUdeviceptr pointer, size_t bytes) {
  int inside = 0;
  pthread_mutex_lock(&lock);
  for (const struct allocation* one = allocations; one && !inside; one = one->next) {
    CUdeviceptr start = (CUdeviceptr)one->start;
    inside = pointer >= start && bytes <= one->bytes && pointer - start <= one->bytes - bytes;
  }
  pthread_mutex_unlock(&lock);
  return inside;
}

static CUresult copy(const char* function, void* to, const void* from, CUdeviceptr device,
                     size_t bytes) {
  if (!is_inside(device, bytes)) {
    return refuse(INVALID_VALUE, function, "beyond an allocation");
  }
  memcpy(to, from, bytes);
  return SUCCESS;
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, size_t bytes) {
  ENTER_CONTEXT();
  return copy(__func__, (void*)to, from, to, bytes);
}

CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, size_t bytes) {
  ENTER_CONTEXT();
  CUresult answer = check_borders(__func__);
  return answer == SUCCESS ? copy(__func__, to, (const void*)from, from, bytes) : answer;
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t bytes, void* stream) {
  ENTER_CONTEXT();
  (void)stream;
  return copy(__func__, (void*)to, from, to, bytes);
}

CUresult cuLaunchKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        void* stream, void** parameters, void** extra) {
  ENTER_CONTEXT();
  (void)stream;
  const unsigned long long threads = 1ull * block_x * block_y * block_z;
  // Limits of all compute capabilities since 3.0.
  if (threads == 0 || threads > 1024 || grid_x == 0 || grid_x > 2147483647u || grid_y == 0 ||
      grid_y > 65535 || grid_z == 0 || grid_z > 65535 || shared != 0 || extra != NULL) {
    return refuse(INVALID_VALUE, __func__, "grid, block or shared memory");
  }
  const struct host_kernel* kernel = ((struct function*)function)->kernel;
  if (!idle_kernel || strcmp(idle_kernel, kernel->name) != 0) {
    host_launch(kernel, (unsigned[]){grid_x, grid_y, grid_z}, (unsigned[]){block_x, block_y, block_z},
                parameters, backwards);
  }
  return SUCCESS;
}

CUresult cuStreamCreate(void** stream, unsigned flags) {
  ENTER_CONTEXT();
  (void)flags;
  *stream = malloc(1);
  return SUCCESS;
}

CUresult cuStreamDestroy_v2(void* stream) {
  ENTER_CONTEXT();
  free(stream);
  return SUCCESS;
}

CUresult cuStreamSynchronize(void* stream) {
  ENTER_CONTEXT();
  (void)stream;
  return check_borders(__func__);
}

CUresult cuEventCreate(void** event, unsigned flags) {
  ENTER_CONTEXT();
  (void)flags;
  *event = calloc(1, sizeof(struct event));
  return SUCCESS;
}

CUresult cuEventDestroy_v2(void* event) {
  ENTER_CONTEXT();
  free(event);
  return SUCCESS;
}

CUresult cuEventRecord(void* event, void* stream) {
  ENTER_CONTEXT();
  (void)stream;
  clock_gettime(CLOCK_MONOTONIC, &((struct event*)event)->recorded);
  ((struct event*)event)->set = 1;
  return SUCCESS;
}

CUresult cuEventSynchronize(void* event) {
  ENTER_CONTEXT();
  return ((struct event*)event)->set ? SUCCESS : INVALID_HANDLE;
}

CUresult cuEventElapsedTime(float* millis, void* from, void* to) {
  ENTER_CONTEXT();
  const struct event* start = from;
  const struct event* end = to;
  if (!start->set || !end->set) {
    return INVALID_HANDLE;
  }
  *millis = (end->recorded.tv_sec - start->recorded.tv_sec) * 1e3f +
            (end->recorded.tv_nsec - start->recorded.tv_nsec) * 1e-6f;
  return SUCCESS;
}
