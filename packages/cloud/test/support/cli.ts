import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import * as run from '../../src/cli/run.ts'
import * as config from '../../src/config/index.ts'
import { inheritedEnv } from './inherited-env.ts'
import type { Scope } from './scope.ts'
import { withTimeout } from './wait-for.ts'

/** How a command ended. */
export interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a command in this process. */
export function cli(env: config.Env, ...args: string[]): Promise<Outcome> {
  return cliWithInput(env, '', ...args)
}

/** Runs a command in this process with a text as its standard input. */
export function cliWithInput(env: config.Env, input: string, ...args: string[]): Promise<Outcome> {
  return runIn({ ...run, ...config }, env, input, args)
}

/** Returns what runs commands of another version in this process. @param main its `src/main.ts` */
export async function cliOf({ main }: { readonly main: string }): Promise<typeof cli> {
  const load = (file: string) => import(join(dirname(main), file))
  const program: Program = { ...(await load('cli/run.ts')), ...(await load('config/index.ts')) }
  return (env, ...args) => runIn(program, env, '', args)
}

type Program = Pick<typeof run, 'runCommandLine'> & Pick<typeof config, 'readConfig' | 'readRemoteSettings'>

async function runIn(program: Program, env: config.Env, input: string, args: string[]): Promise<Outcome> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const out = text(stdout)
  const err = text(stderr)
  stdin.end(input)
  const io = { stdin, stdout, stderr }
  const code = await program.runCommandLine(
    args,
    () => program.readConfig(env),
    io,
    () => program.readRemoteSettings(env),
  )
  stdout.end()
  stderr.end()
  return { code, out: await out, err: await err }
}

/** A command that copies a large file takes a third of this on a slow machine; one that hangs fails before its test times out. */
const COMMAND_TIMEOUT_MS = 120_000

/** Runs a command in a child process, as `npm run cli` does. */
export async function spawnCli(scope: Scope, env: config.Env, ...args: string[]): Promise<Outcome> {
  const file = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))
  const child = spawn(process.execPath, [file, ...args], {
    cwd: tmpdir(),
    env: { ...inheritedEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  scope.after(() => child.kill('SIGKILL'))
  const [out, err, [code]] = await withTimeout(
    COMMAND_TIMEOUT_MS,
    Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]),
    'the command did not end',
  )
  return { code, out, err }
}
