// Sends the same SNMP message at a steady rate from many loopback addresses (127.1.b.c), each time with another request-id.
// usage: flood PORT PER_SECOND SECONDS FIRST_SOURCE SOURCES HEX ID_OFFSET. Prints how many it has sent.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { BATCH = 64, TICK_NS = 1000000 };

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec / 1e9; }

int main(int argc, char **argv) {
  if (argc != 8) return 2;
  int port = atoi(argv[1]), first = atoi(argv[4]), sources = atoi(argv[5]), at = atoi(argv[7]);
  double rate = atof(argv[2]), seconds = atof(argv[3]);
  size_t len = strlen(argv[6]) / 2;
  uint8_t (*messages)[1500] = malloc(BATCH * sizeof *messages);
  for (size_t i = 0; i < len; i++) { unsigned octet; sscanf(argv[6] + 2 * i, "%2x", &octet); for (int m = 0; m < BATCH; m++) messages[m][i] = octet; }
  int *sockets = malloc(sources * sizeof *sockets);
  struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
  for (int i = 0; i < sources; i++) {
    struct sockaddr_in from = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f010000u + first + i) };
    sockets[i] = socket(AF_INET, SOCK_DGRAM, 0);
    if (bind(sockets[i], (void *)&from, sizeof from) || connect(sockets[i], (void *)&to, sizeof to)) { perror("flood"); return 1; }
  }
  uint32_t sent = 0; uint64_t total = rate * seconds;
  for (double begun = now(); sent < total;) {
    double elapsed = now() - begun;
    uint64_t due = elapsed >= seconds ? total : rate * elapsed;
    while (sent < due) {
      uint8_t *message = messages[sent % BATCH]; uint32_t id = 0x01000000u + sent;
      for (int i = 0; i < 4; i++) message[at + i] = id >> (24 - 8 * i);
      if (send(sockets[sent % sources], message, len, 0) < 0) continue;
      sent++;
    }
    nanosleep(&(struct timespec){ .tv_nsec = TICK_NS }, 0);
  }
  printf("%u\n", sent);
  return 0;
}
