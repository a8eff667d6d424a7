import type { BackgroundJob } from '../feature.ts'
import type { KeyPair } from './key-pair.ts'

/** The state of the certificate of this node, for operators. */
export interface CertificateStatus {
  /** When it is renewed by this cloud, in epoch ms; undefined: never, or there is none yet. */
  readonly renewsAt: number | undefined
  /** Failed attempts to obtain or reload it since the last one that succeeded. */
  readonly failures: number
  /** Why the last attempt failed, as a sentence; undefined if it succeeded. */
  readonly problem: string | undefined
}

/** Where the certificate of this node comes from. Its job keeps it current. */
export interface CertificateSource extends BackgroundJob {
  /** What to serve; undefined: there is none yet. */
  readonly current: KeyPair | undefined
  readonly status: CertificateStatus
  /** Registers what is called when `current` changed. */
  onChange(changed: () => void): void
}
