import { createHash } from 'node:crypto'
import type { BlobStore } from '../../blobs/index.ts'
import { blobKey } from './model-folders.ts'
import type { InstalledModel } from './speech-model-store.ts'

/** A file of an installed model whose blob is missing or damaged. */
export interface DamagedFile {
  readonly id: string
  readonly name: string
  readonly problem: 'missing' | 'damaged'
}

/** Reads every file of installed models in the file store and compares it with its hash. */
export async function* verifyModels(
  installed: readonly InstalledModel[],
  blobs: Pick<BlobStore, 'get'>,
): AsyncGenerator<{ readonly id: string; readonly damaged: readonly DamagedFile[] }> {
  for (const { model, installId } of installed) {
    const damaged: DamagedFile[] = []
    for (const [index, { name, sha256 }] of model.files.entries()) {
      const found = await hashOf(blobs, blobKey(model.id, installId, index))
      if (found !== sha256)
        damaged.push({ id: model.id, name, problem: found === undefined ? 'missing' : 'damaged' })
    }
    yield { id: model.id, damaged }
  }
}

async function hashOf(blobs: Pick<BlobStore, 'get'>, key: string): Promise<string | undefined> {
  const blob = await blobs.get(key)
  if (blob === undefined) return undefined
  const hash = createHash('sha256')
  for await (const chunk of blob.stream) hash.update(chunk)
  return hash.digest('hex')
}
