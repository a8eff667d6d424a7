import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { BareRoot, checked } from './bare-root.ts'

/** A system that runs on a machine three times slower has booted by then. */
const BOOT_TIMEOUT_MS = 120_000
const POLL_MS = 100
const PATH = '/usr/sbin:/usr/bin:/sbin:/bin'

/** A minimal Debian that has booted: systemd is its first process. It shares the network of this machine. */
export class BootedRoot {
  readonly #root: BareRoot
  readonly #container: ChildProcess
  /** Process id of its systemd on this machine. */
  readonly #init: string

  private constructor(root: BareRoot, container: ChildProcess, init: string) {
    this.#root = root
    this.#container = container
    this.#init = init
  }

  /** Makes a root with systemd, and boots it. @throws {Error} if it has not booted in two minutes */
  static async boot(): Promise<BootedRoot> {
    const root = new BareRoot(mkdtempSync(join(tmpdir(), 'booted-root-')), [
      'systemd',
      'systemd-sysv',
      'dbus',
    ])
    const options = ['--register=no', '--keep-unit', '--console=pipe', '--resolv-conf=off', '--timezone=off']
    const container = spawn('systemd-nspawn', ['--quiet', '--boot', '--directory', root.folder, ...options], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const deadline = Date.now() + BOOT_TIMEOUT_MS
    while (Date.now() < deadline && container.exitCode === null) {
      const init = firstProcess(container.pid)
      const booted = init === undefined ? undefined : new BootedRoot(root, container, init)
      if (booted?.hasStarted) return booted
      await delay(POLL_MS)
    }
    container.kill('SIGKILL')
    await root.remove()
    throw new Error(`systemd did not boot (systemd-nspawn exited with ${container.exitCode})`)
  }

  get folder(): string {
    return this.#root.folder
  }

  /** Runs a program in it as root, which must succeed. @returns its standard output */
  check(args: readonly string[]): string {
    const namespaces = ['--mount', '--uts', '--ipc', '--pid', '--cgroup']
    return checked('nsenter', ['--target', this.#init, ...namespaces, ...args], { PATH })
  }

  /** Ends all its processes, and removes the folder. */
  async remove(): Promise<void> {
    const exited = once(this.#container, 'exit')
    this.#container.kill('SIGKILL')
    await exited
    await this.#root.remove()
  }

  /** Whether all services of the system have started. */
  get hasStarted(): boolean {
    try {
      this.check(['systemctl', 'is-system-running'])
      return true
    } catch {
      return false
    }
  }
}

/** The first process of a container, on this machine; undefined before it was started. */
function firstProcess(container: number | undefined): string | undefined {
  const children = readFileSync(`/proc/${container}/task/${container}/children`, 'utf8').trim()
  return children === '' ? undefined : children.split(' ').at(-1)
}
