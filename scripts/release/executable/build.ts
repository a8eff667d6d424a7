import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { inject } from 'postject'
import { rolldown } from 'rolldown'
import type { Contents } from '../contents.ts'
import { textFile } from '../tree.ts'
import { packFiles } from './index-of.ts'

/** Marks the place in Node's binary that says whether it contains a program. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** Imports modules for the embedded program, which cannot (`main.ts`). */
const IMPORT = textFile('import.cjs', Buffer.from('module.exports = (url) => import(url)\n'))

/** Compression level of the program: 3 MB less than the default. */
const LEVEL = 15

/** Makes a single executable of Node.js that contains the program. @returns the content of the file */
export async function buildExecutable({ program, node }: Contents, version: string): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'glasses-cloud-release-'))
  try {
    const { index, contents } = packFiles([...program, IMPORT], version)
    writeFileSync(join(folder, 'index'), JSON.stringify(index))
    const params = { [constants.ZSTD_c_compressionLevel]: LEVEL }
    writeFileSync(join(folder, 'contents'), zstdCompressSync(contents, { params }))
    await bundleMain(join(folder, 'main.cjs'))
    const blob = makeBlob(folder)
    const file = join(folder, 'executable')
    writeFileSync(file, readFileSync(node))
    await inject(file, 'NODE_SEA_BLOB', blob, { sentinelFuse: FUSE })
    return readFileSync(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function bundleMain(file: string): Promise<void> {
  const build = await rolldown({ input: join(import.meta.dirname, 'main.ts'), platform: 'node' })
  await build.write({ file, format: 'cjs', comments: false })
  await build.close()
}

/** Node makes what it later reads. It is the same for all processors, without a snapshot and without compiled code. */
function makeBlob(folder: string): Buffer {
  const config = {
    main: 'main.cjs',
    output: 'blob',
    disableExperimentalSEAWarning: true,
    execArgv: ['--max-semi-space-size=16'],
    assets: { index: 'index', contents: 'contents' },
  }
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
  const options = { cwd: folder, encoding: 'utf8' } as const
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--experimental-sea-config', 'config.json'],
    options,
  )
  if (status !== 0) throw new Error(`Node could not pack the program: ${stderr}`)
  return readFileSync(join(folder, 'blob'))
}
