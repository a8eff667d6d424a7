export { SignedInPhone, type WearingState } from '../sign-in/signed-in-phone.ts'
export type { EvenBridge } from './bridge.ts'
export { EvenG2 } from './even-g2.ts'
export { SerialBridge } from './serial-bridge.ts'
