export type { Clock, ModelPeripheral, PeripheralEvents } from '../peripheral.ts'
export { type BrilliantFaults, BrilliantModel } from './brilliant-model.ts'
export type { BrilliantLens } from './lens.ts'
export type { BrilliantMicrophone } from './microphone.ts'
