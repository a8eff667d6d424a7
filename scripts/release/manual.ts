import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/**
 * Makes the manual page of `glasses-cloud` from what its `--help` prints.
 * @param bundle folder of the bundle
 * @param time epoch seconds
 */
export function manualPage(bundle: string, version: string, time: number): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(bundle, 'program.mjs'), '--help'], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The help of the program cannot be read: ${stderr}`)
  const commands = [...stdout.matchAll(/^ {2}(\S.*)\n {6}(\S.*)$/gm)]
  if (commands.length < 10) throw new Error('The help of the program lists no commands.')
  const date = new Date(time * 1000).toISOString().slice(0, 10)
  return [
    `.TH GLASSES\\-CLOUD 1 ${date} "Glasses Cloud ${roff(version)}"`,
    '.SH NAME',
    'glasses\\-cloud \\- open cloud for smart glasses',
    '.SH SYNOPSIS',
    '.B glasses\\-cloud',
    '.I COMMAND',
    '.SH COMMANDS',
    ...commands.flatMap(([, call = '', summary = '']) => ['.TP', `.B ${roff(call)}`, `${roff(summary)}.`]),
    '.PP',
    'Each command explains its options with',
    '.BR \\-\\-help .',
    '.SH EXIT STATUS',
    '0 on success, 1 if the command failed, 2 if it was used incorrectly.',
    '.SH FILES',
    '.TP',
    '.I /etc/glasses\\-cloud/env',
    'Settings of the service and of this command.',
    '.TP',
    '.I /var/lib/glasses\\-cloud',
    'Data.',
    '.TP',
    '.I /usr/share/doc/glasses\\-cloud',
    'Guides, and all settings.',
    '.SH SEE ALSO',
    '.BR systemctl (1),',
    '.BR journalctl (1)',
    '',
  ].join('\n')
}

/** Escapes a text for roff. A line must not begin with a dot or an apostrophe, which no command does. */
function roff(text: string): string {
  return text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('…', '...')
}
