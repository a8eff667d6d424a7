import type { ErrorStyle } from '@glasses-cloud/contract'
import type { Fault } from './fault.ts'

/** Builds an error body in the style of the endpoint. Extra fields never replace those of the style. */
export function errorBody(fault: Fault, groupStyle: ErrorStyle): Record<string, unknown> {
  switch (fault.entry.style ?? groupStyle) {
    case 'envelope':
      return { ...fault.extra, success: false, message: fault.message }
    case 'bare':
      return { ...fault.extra, error: fault.message }
    case 'coded':
      return { ...fault.extra, error: fault.code, message: fault.message }
  }
}
