export type { Peripheral, PeripheralEvents, WebBluetooth } from '../bluetooth/peripheral.ts'
export type { WebPeripheral } from '../bluetooth/web-peripheral.ts'
export { EvenG1, type EvenG1Options } from './even-g1.ts'
export { chooseArm, chooseOtherArm, type G1Arms, nameOfPair, rememberedArms } from './web-arms.ts'
