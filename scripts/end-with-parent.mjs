/**
 * `node --import ./scripts/end-with-parent.mjs`, for npm scripts: ends this process with SIGTERM soon after npm has ended. A
 * supervisor or a terminal knows only npm; nothing that it started may go on without it.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { isMainThread } from 'node:worker_threads'

const CHECK_EVERY_MS = 500
const SHELLS = ['ash', 'bash', 'dash', 'ksh', 'sh', 'zsh']
/** `&` puts a command into the background, where it continues after its shell; `&&`, `>&` and `|&` do not. */
const BACKGROUND = /(?<![&>|])&(?![&>])/

/** Reads a file about a process; undefined if the process has ended, or the system is not Linux. */
function read(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return undefined
  }
}

const parentOf = (pid) => /^PPid:\s*(\d+)/m.exec(read(pid, 'status') ?? '')?.[1]

/** Whether a process is a shell that runs a command in the foreground, and ends with it: `sh -c 'npm start'`. */
function isWaitingShell(pid) {
  const [program = '', option, ...command] = (read(pid, 'cmdline') ?? '').split('\0')
  return SHELLS.includes(basename(program)) && /^-\w*c$/.test(option) && !BACKGROUND.test(command.join(' '))
}

/** The processes that wait for this one: the shell of npm, npm, and a shell that runs nothing but npm. */
function waiting() {
  const processes = [process.ppid]
  if (isWaitingShell(process.ppid)) processes.push(parentOf(process.ppid))
  const beyondNpm = parentOf(processes.at(-1))
  if (isWaitingShell(beyondNpm)) processes.push(beyondNpm)
  return processes.join()
}

if (isMainThread) {
  const atStart = waiting()
  const timer = setInterval(() => {
    if (waiting() === atStart) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, CHECK_EVERY_MS).unref()
}
