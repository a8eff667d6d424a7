import type { AppLogEntry } from '@glasses-cloud/contract'
import type { StoredEntry } from './app-log-store.ts'

/** Returns an entry as developers see it. */
export function toEntryView({ id, at, fields }: StoredEntry): AppLogEntry {
  return { id, at: new Date(at).toISOString(), ...fields }
}
