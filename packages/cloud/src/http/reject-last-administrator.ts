import { LastAdministrator } from '../identity/index.ts'
import { fault } from './fault.ts'

/** Rethrows the error of an endpoint that takes an administrator away. @throws Fault `LAST_ADMINISTRATOR` */
export function rejectLastAdministrator(cause: unknown): never {
  throw cause instanceof LastAdministrator ? fault('LAST_ADMINISTRATOR', { cause }) : cause
}
