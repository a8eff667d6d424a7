import { createRequire, enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { getAsset, getRawAsset } from 'node:sea'
import { pathToFileURL } from 'node:url'
import { zstdDecompressSync } from 'node:zlib'
import { UnsafeFolderError, unpackProgram } from './unpack.ts'

// The main program of the single executable: unpacks the program, because libraries with machine code, threads and
// processes are loaded from files, and runs it. Without a command it starts the cloud.

/** Runs a module. An embedded program can import modules of Node only, so a file beside the module imports it. */
function runModule(file: string): Promise<unknown> {
  return createRequire(file)('./import.cjs')(pathToFileURL(file).href)
}

function cacheFolder(): string {
  const { CACHE_DIRECTORY, XDG_CACHE_HOME, HOME } = process.env
  if (CACHE_DIRECTORY) return join(CACHE_DIRECTORY, 'program')
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, 'glasses-cloud', 'program')
  if (HOME) return join(HOME, '.cache', 'glasses-cloud', 'program')
  throw new UnsafeFolderError('Set HOME or XDG_CACHE_HOME: this program unpacks itself into a folder there.')
}

function run(): Promise<unknown> {
  // A process that the program forks runs a file of the folder that its parent has checked.
  const forked = process.send === undefined ? undefined : process.argv.find((arg) => arg.endsWith('.mjs'))
  if (forked !== undefined) return runModule(forked)
  const cache = cacheFolder()
  const contents = () => zstdDecompressSync(new Uint8Array(getRawAsset('contents') as ArrayBuffer))
  const folder = unpackProgram(cache, JSON.parse(getAsset('index', 'utf8')), contents)
  enableCompileCache(join(cache, 'compiled'))
  if (process.argv.length === 2) process.argv.push('start')
  return runModule(join(folder, 'program.mjs'))
}

function fail(error: unknown): void {
  console.error(error instanceof UnsafeFolderError ? error.message : error)
  process.exitCode = 1
}

try {
  run().catch(fail)
} catch (error) {
  fail(error)
}
