export { EvenG1Model, G1_PACE_MS, type G1Arm, type G1Faults } from './even-g1/g1-arm.ts'
export type { Lens } from './even-g1/lens.ts'
export type { Clock, ModelPeripheral, PeripheralEvents } from './peripheral.ts'
export { type Choose, FakeBluetooth, UART_UUIDS } from './web/fake-bluetooth.ts'
