import type { Finding } from '@glasses-cloud/contract'

/** A check that passed. */
export function ok(part: string, text: string): Finding {
  return { level: 'ok', part, text }
}

/** Something worth knowing. */
export function note(part: string, text: string): Finding {
  return { level: 'note', part, text }
}

/** An error that keeps the cloud from working, with what to do. */
export function failure(part: string, text: string): Finding {
  return { level: 'error', part, text }
}

/** Returns why a request failed. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & {
    readonly cause?: { readonly code?: string; message?: string }
  }
  return cause?.code ?? cause?.message ?? message
}
