import type { PingHop } from '@glasses-cloud/contract'

/** Limit of one hop, the same as for the webhook of a start. */
export const HOP_TIMEOUT_MS = 5_000

/** What the test of a hop found. */
export type HopResult = Pick<PingHop, 'status' | 'message' | 'action'>

export const passed = (message: string): HopResult => ({ status: 'passed', message })
export const failed = (message: string, action: string): HopResult => ({ status: 'failed', message, action })
export const skipped = (message: string): HopResult => ({ status: 'skipped', message })
export const info = (message: string, action: string): HopResult => ({ status: 'info', message, action })

/** Describes why an app server could not be reached. */
export function unreachable(code: string, { host }: URL): HopResult {
  switch (code) {
    case 'ECONNREFUSED':
      return failed(
        `Nothing accepts connections at ${host} (${code})`,
        'Start the app server, or correct the port in publicUrl',
      )
    case 'TIMEOUT':
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return failed(
        `The server at ${host} did not respond within ${HOP_TIMEOUT_MS / 1000} seconds`,
        'Check that the app server responds to its webhook at once, and that no firewall drops the connection',
      )
    case 'FORBIDDEN_ADDRESS':
      return failed(
        `${host} is not a public address, and this cloud calls public addresses only`,
        'Use a public address in publicUrl, or have the operator set ALLOW_PRIVATE_NETWORKS',
      )
    default:
      return failed(
        `The connection to ${host} failed (${code})`,
        'Check the app server and every proxy or tunnel in front of it',
      )
  }
}
