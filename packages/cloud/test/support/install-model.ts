import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cli } from './cli.ts'
import type { Scope } from './scope.ts'
import type { TestCloud } from './test-cloud.ts'
import { type TinyModelFolder, type TinyModelName, writeTinyModel } from './tiny-speech-models/index.ts'

/** Runs `cli models` with arguments, which must succeed. */
export async function runModels(cloud: TestCloud, ...args: string[]): Promise<void> {
  const { code, err } = await cli(cloud.env, 'models', ...args)
  assert.equal(code, 0, err)
}

/** Writes a tiny model to a folder of its own, which is deleted when the scope ends. */
export async function temporaryModel(scope: Scope, name: TinyModelName): Promise<TinyModelFolder> {
  const parent = await mkdtemp(join(tmpdir(), 'model-'))
  scope.after(() => rm(parent, { recursive: true, force: true }))
  return writeTinyModel(name, parent)
}

/** Installs a tiny model in a cloud. */
export async function installModel(
  scope: Scope,
  cloud: TestCloud,
  name: TinyModelName,
): Promise<TinyModelFolder> {
  const model = await temporaryModel(scope, name)
  await runModels(cloud, 'add', model.folder)
  return model
}
