import { cutText, INCIDENT_LIMITS } from '@glasses-cloud/contract'
import type { FastifyRequest } from 'fastify'
import { fault } from '../../http/fault.ts'
import { formParts } from '../../http/schemas.ts'
import type { Incidents } from './incidents.ts'

/** Limits of the form. Larger files are truncated; other excess is rejected. */
export const ATTACHMENT_FORM_LIMITS = {
  files: 2 * INCIDENT_LIMITS.files,
  fileSize: INCIDENT_LIMITS.fileBytes,
  fields: 20,
  fieldNameSize: 100,
  fieldSize: 16 * 1024,
  headerPairs: 50,
} as const

/** Results for the files of a form. */
export interface AttachmentResults {
  readonly uploaded: { filename: string }[]
  readonly errors: { filename: string; error: string }[]
}

/**
 * Reads a form to its end and streams its files into the blob store.
 * @throws Fault for a malformed form; the error of the store. Files stored before the error remain attached
 */
export async function readAttachments(
  request: FastifyRequest,
  incidents: Incidents,
  userId: string,
  incidentId: string,
): Promise<AttachmentResults> {
  const results: AttachmentResults = { uploaded: [], errors: [] }
  let storageError: unknown
  try {
    for await (const part of formParts(request)) {
      if (part.type === 'field') continue
      const { file } = part
      const filename = sanitizeFilename(part.filename)
      if (part.fieldname === 'files') {
        const mimeType = removeControlCharacters(part.mimetype).slice(0, 100)
        const content = withTruncationMarker(file)
        const outcome = await incidents
          .attach(userId, incidentId, { filename, mimeType, content })
          .catch((error: unknown) => {
            // An interrupted form fails the store as well, but is a client error.
            if (!file.errored) storageError = error
            throw error
          })
        if (outcome.ok) results.uploaded.push({ filename })
        else results.errors.push({ filename, error: outcome.error })
      } else results.errors.push({ filename, error: 'The field must be called files' })
      // Skips unread content, because the parser continues only once the file was read to its end.
      file.resume()
    }
    return results
  } catch {
    throw storageError ?? fault('BAD_REQUEST', { message: 'The form could not be read' })
  }
}

/** Yields one byte more if the parser truncated the file, so that the store rejects it as too large. */
async function* withTruncationMarker(
  file: AsyncIterable<Uint8Array> & { readonly truncated: boolean },
): AsyncGenerator<Uint8Array> {
  yield* file
  if (file.truncated) yield new Uint8Array(1)
}

/** Removes folders and control characters. */
function sanitizeFilename(filename: string | undefined): string {
  const name =
    removeControlCharacters(filename ?? '')
      .split(/[\\/]/)
      .at(-1) ?? ''
  return cutText(name, 200) || 'unnamed'
}

/** PostgreSQL rejects U+0000. */
function removeControlCharacters(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '')
}
