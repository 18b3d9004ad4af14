// Walks ifTable and ifXTable of many devices with gosnmp and prints what it cost.
// usage: gosnmp ADDRESSES PORT DEVICES IN_FLIGHT [v3]      ADDRESSES: many (127.1.x.y) or one (127.0.0.1)
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gosnmp/gosnmp"
)

func main() {
	port, _ := strconv.Atoi(os.Args[2])
	devices, _ := strconv.Atoi(os.Args[3])
	inFlight, _ := strconv.Atoi(os.Args[4])
	isV3 := len(os.Args) > 5
	roots := []string{".1.3.6.1.2.1.2.2", ".1.3.6.1.2.1.31.1.1"}
	var varbinds int64
	work := make(chan int)
	var group sync.WaitGroup
	started, before := time.Now(), cpu()
	for i := 0; i < inFlight; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for device := range work {
				client := &gosnmp.GoSNMP{Target: "127.0.0.1", Port: uint16(port), Community: "public",
					Version: gosnmp.Version2c, Timeout: 2 * time.Second, Retries: 2, MaxRepetitions: 75}
				if os.Args[1] == "many" {
					client.Target = fmt.Sprintf("127.1.%d.%d", device>>8, device&255)
				}
				if isV3 {
					client.Version, client.SecurityModel, client.MsgFlags = gosnmp.Version3, gosnmp.UserSecurityModel, gosnmp.AuthPriv
					client.SecurityParameters = &gosnmp.UsmSecurityParameters{UserName: "bench",
						AuthenticationProtocol: gosnmp.SHA256, AuthenticationPassphrase: "maplesyrup",
						PrivacyProtocol: gosnmp.AES, PrivacyPassphrase: "maplesyrup"}
				}
				if err := client.Connect(); err != nil {
					panic(err)
				}
				for _, root := range roots {
					err := client.BulkWalk(root, func(gosnmp.SnmpPDU) error { atomic.AddInt64(&varbinds, 1); return nil })
					if err != nil {
						fmt.Fprintln(os.Stderr, err)
					}
				}
				client.Conn.Close()
			}
		}()
	}
	for device := 0; device < devices; device++ {
		work <- device
	}
	close(work)
	group.Wait()
	json.NewEncoder(os.Stdout).Encode(map[string]interface{}{
		"varbinds": varbinds, "cpuSeconds": cpu() - before, "seconds": time.Since(started).Seconds()})
}

func cpu() float64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
}
