/**
 * What a person writes into the drafts of public MIBs before they ship: for each `decide:` line the unit in place of
 * "1". Where it stays "1", the number is plain and only the comment goes.
 */
export const reviewedUnits: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'CISCO-PROCESS-MIB': {
    cpmCPUMemoryCommitted: 'KiB',
    cpmCPUMemoryCommittedOvrflw: '1',
    cpmCPUMemoryHCCommitted: 'KiB',
  },
  // Of 5,274 attributes. The unit of the tank is a setting of the device; that of the fans is in no MIB.
  'PowerNet-MIB': {
    sPDUMasterStatusVMRebootDuration: 's',
    airIRG3CMStatusAverageFanSpeed: '1',
    xATSGeneratorFuelSystemTankSize: '1',
    pcnsNmcOutlet: '1',
  },
  'JUNIPER-MIB': { jnxOperatingFRUPower: 'W' },
  'HUAWEI-ENTITY-EXTENT-MIB': {
    hwEntityOpticalPower: 'uW',
    hwEntityOpticalPowerRx: 'uW',
    hwEntityBoardPower: 'W',
    hwEntityCpuMaxUsage: '%',
    hwEntityFlashSize: 'bytes',
    hwEntityMemUsed: 'bytes',
    hwEntity5MinCpuUsage: '%',
    hwEntityHda1Usage: '%',
  },
  'PAN-COMMON-MIB': {
    panLcDiskUsageRetention: 'days',
    panLocalDiskUsageRetention: 'days',
    panLcLoggingConnectedIdLogRate: 'logs/s',
    panDeviceLoggingDiskUsageRetention: 'days',
    panDeviceLoggingExtFwdStatsTable1minAvgSendRate: 'logs/s',
    avgLatency: 'ms',
    cacheCurrent: 'sessions',
  },
};
