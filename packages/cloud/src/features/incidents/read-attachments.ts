import { INCIDENT_LIMITS } from '@glasses-cloud/contract'
import type { FastifyRequest } from 'fastify'
import { fault } from '../../http/fault.ts'
import type { Incidents } from './incidents.ts'

/** What a form may hold; what is beyond is refused or cut off. */
export const attachmentLimits = {
  files: 2 * INCIDENT_LIMITS.files,
  fileSize: INCIDENT_LIMITS.fileBytes,
  fields: 20,
  fieldNameSize: 100,
  fieldSize: 16 * 1024,
  headerPairs: 50,
} as const

/** What became of the files of a form. */
export interface Attached {
  readonly uploaded: { filename: string }[]
  readonly errors: { filename: string; error: string }[]
}

/**
 * Reads a form to its end, its files straight into the store.
 * @throws Fault for a form that cannot be read; the error of the store. Files that came before it stay
 */
export async function readAttachments(
  request: FastifyRequest,
  incidents: Incidents,
  userId: string,
  incidentId: string,
): Promise<Attached> {
  const attached: Attached = { uploaded: [], errors: [] }
  let storing: unknown
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') continue
      const { file } = part
      const filename = plainName(part.filename)
      if (part.fieldname === 'files') {
        const mimeType = plain(part.mimetype).slice(0, 100)
        const content = uncut(file)
        const outcome = await incidents
          .attach(userId, incidentId, { filename, mimeType, content })
          .catch((error: unknown) => {
            // A form that breaks off in the middle of a file fails the store too, but is not its fault.
            if (!file.errored) storing = error
            throw error
          })
        if (outcome.ok) attached.uploaded.push({ filename })
        else attached.errors.push({ filename, error: outcome.refusal })
      } else attached.errors.push({ filename, error: 'The field must be called files' })
      // Whatever was not read; the form goes on behind it.
      file.resume()
    }
    return attached
  } catch {
    throw storing ?? fault('BAD_REQUEST', { message: 'The form could not be read' })
  }
}

/** The content of a file, and a byte more where the reader cut it off, so that the store sees it is too long. */
async function* uncut(
  file: AsyncIterable<Uint8Array> & { readonly truncated: boolean },
): AsyncGenerator<Uint8Array> {
  yield* file
  if (file.truncated) yield new Uint8Array(1)
}

/** A name without folders and control characters. */
function plainName(given: string | undefined): string {
  return (
    plain(given ?? '')
      .split(/[\\/]/)
      .at(-1)
      ?.slice(0, 200) || 'unnamed'
  )
}

/** Not every database takes control characters. */
function plain(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '')
}
