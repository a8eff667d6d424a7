import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { renameNew } from './rename-new.ts'

const refuse = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }))

for (const [name, link] of [
  ['with links', undefined],
  ['without links', refuse('EPERM')],
  ['of a virtual machine, without links', refuse('EIO')],
] as const)
  test(`BAK-10 CFG-9: a file is renamed unless there is one of the new name, on a file system ${name}`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-'))
    t.after(() => rm(folder, { recursive: true }))
    const [from, to] = [join(folder, 'from'), join(folder, 'to')]
    await writeFile(from, 'first')
    await renameNew(from, to, link)
    assert.deepEqual(await readdir(folder), ['to'])
    await writeFile(from, 'second')
    await assert.rejects(renameNew(from, to, link), { code: 'EEXIST' })
    assert.equal(await readFile(to, 'utf8'), 'first')
    await assert.rejects(renameNew(from, to, refuse('ENOSPC')), { code: 'ENOSPC' })
  })
