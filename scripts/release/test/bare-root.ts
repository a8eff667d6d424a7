import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PROJECT = join(import.meta.dirname, '../../..')
const SUITE = 'bookworm'
const ARCHIVES = join(PROJECT, 'node_modules/.cache/release-test')

/** Programs that the tests of a release use, with their Debian packages. */
const PROGRAMS = {
  mmdebstrap: 'mmdebstrap',
  buildah: 'buildah',
  'dpkg-deb': 'dpkg',
  'systemd-analyze': 'systemd',
  'systemd-nspawn': 'systemd-container',
  'docker-compose': 'docker-compose',
  pebble: 'pebble',
  prometheus: 'prometheus',
}

/** Prepares the root of a process in a mount namespace of its own, and enters it. Arguments: root, user, program. */
const ENTER = `
root=$1 user=$2 cwd=$3; shift 3
mount --bind "$root" "$root"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
for mount in $MOUNTS; do mount --bind "\${mount%%:*}" "$root\${mount#*:}"; done
[ -z "$READ_ONLY" ] || mount -o remount,ro,bind "$root"
exec chroot --userspec="$user" "$root" /bin/sh -c 'cd "$1" && shift && exec "$@"' sh "$cwd" "$@"
`

export interface RunOptions {
  /** `uid:gid`; root by default. */
  readonly user?: string
  readonly env?: Readonly<Record<string, string>>
  /** In the root; `/` by default. */
  readonly cwd?: string
  /** Whether the root is mounted read-only, except for `mounts`. */
  readonly readOnly?: boolean
  /** Folders that are mounted from outside, by their path in the root. */
  readonly mounts?: Readonly<Record<string, string>>
}

export interface Finished {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A cloud that runs in a bare root. */
export interface RunningCloud {
  readonly child: ChildProcess
  readonly output: () => string
}

/** A folder with a minimal Debian: no Node, no npm. Programs run in it, with the network of this machine. */
export class BareRoot {
  readonly folder: string
  readonly #children: ChildProcess[] = []

  /**
   * @param folder an existing root; by default a new one is made from Debian's packages, which are kept as an archive
   * @param packages more packages of Debian that a new root has
   */
  constructor(folder = mkdtempSync(join(tmpdir(), 'bare-root-')), packages: readonly string[] = []) {
    this.folder = folder
    if (existsSync(join(folder, 'bin'))) return
    checked('tar', ['--numeric-owner', '-xf', makeArchive(packages), '-C', folder])
    // The installer of Debian writes this file, which belongs to no package.
    writeFileSync(join(folder, 'etc/hosts'), '127.0.0.1 localhost\n')
  }

  /** The archive of the bare root, from which an image can be made. */
  static archive(): string {
    return makeArchive([])
  }

  run(args: readonly string[], options: RunOptions = {}): Finished {
    const [command, all, spawnOptions] = this.#call(args, options)
    const { status, stdout, stderr } = spawnSync(command, all, { ...spawnOptions, encoding: 'utf8' })
    return { status, stdout, stderr }
  }

  /** Runs a program that must succeed. @returns its standard output */
  check(args: readonly string[], options: RunOptions = {}): string {
    const { status, stdout, stderr } = this.run(args, options)
    if (status !== 0) throw new Error(`${args.join(' ')} exited with ${status}: ${stdout}${stderr}`)
    return stdout
  }

  /** Starts a cloud. @returns when it is ready */
  async start(args: readonly string[], options: RunOptions): Promise<RunningCloud> {
    const [command, all, spawnOptions] = this.#call(args, options)
    const child = spawn(command, all, { ...spawnOptions, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#children.push(child)
    let output = ''
    const ready = Promise.withResolvers<void>()
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data) => {
        output += data
        if (output.includes('Glasses Cloud is ready at')) ready.resolve()
      })
    child.on('exit', (code) => ready.reject(new Error(`The cloud exited with ${code}: ${output}`)))
    await ready.promise
    return { child, output: () => output }
  }

  /** Ends clouds that a failed test left. */
  async end(): Promise<void> {
    for (const child of this.#children.filter(
      ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
    )) {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    }
  }

  /** Ends what runs, and removes the folder. */
  async remove(): Promise<void> {
    await this.end()
    rmSync(this.folder, { recursive: true, force: true })
  }

  #call(args: readonly string[], options: RunOptions) {
    const { user = '0:0', cwd = '/', env = {}, readOnly = false, mounts = {} } = options
    const list = Object.entries(mounts).map(([path, folder]) => `${folder}:${path}`)
    const variables = {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      ...env,
      READ_ONLY: readOnly ? '1' : '',
      MOUNTS: list.join(' '),
    }
    // The process keeps its id through each exec, so that a signal reaches the program itself.
    const unshare = ['--mount', '--propagation', 'private', 'sh', '-euc', ENTER, 'sh', this.folder, user, cwd]
    return ['unshare', [...unshare, ...args], { env: variables }] as const
  }
}

/** Sends SIGTERM to a cloud. @returns its exit code */
export async function stop({ child }: RunningCloud): Promise<number | null> {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const [code] = await exited
  return code
}

/** Runs a program of this machine that must succeed. @returns its standard output */
export function checked(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 1e8,
    cwd: PROJECT,
    ...(env === undefined ? {} : { env }),
  })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? `${stdout}${stderr}`}`)
  return stdout
}

/** @returns the archive of a root with these packages more, which is made once */
function makeArchive(packages: readonly string[]): string {
  const archive = join(ARCHIVES, `${[SUITE, ...packages].join('-')}.tar`)
  if (existsSync(archive)) return archive
  mkdirSync(ARCHIVES, { recursive: true })
  const next = archive.replace('.tar', `.${process.pid}.tar`)
  const include = packages.length === 0 ? [] : [`--include=${packages.join(',')}`]
  checked('mmdebstrap', ['--variant=minbase', ...include, SUITE, next])
  renameSync(next, archive)
  return archive
}

/**
 * The option `skip` of the tests of a release.
 * @returns why they cannot run on this machine; false if they can
 * @throws {Error} if they cannot and `REQUIRE_SERVICES=1`
 */
export function skipUnlessPossible(): string | false {
  const problem = problemOfThisMachine()
  if (problem === undefined) return false
  if (process.env.REQUIRE_SERVICES === '1') throw new Error(`REQUIRE_SERVICES=1: ${problem}`)
  return problem
}

function problemOfThisMachine(): string | undefined {
  if (process.getuid?.() !== 0) return 'these tests make roots and mount file systems: run them as root'
  const missing = Object.entries(PROGRAMS).filter(
    ([program]) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
  )
  if (missing.length === 0) return undefined
  const [programs, packages] = [0, 1].map((part) => missing.map((entry) => entry[part]))
  return `${programs?.join(', ')} not installed (apt-get install ${packages?.join(' ')})`
}
