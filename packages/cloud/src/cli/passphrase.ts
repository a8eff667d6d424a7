import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CommandError, type CommandIo } from './command.ts'

/**
 * Reads a passphrase: on a terminal without showing it, otherwise as a line of standard input.
 * @param options.twice on a terminal, asks twice, since nobody sees what was typed
 */
export async function readPassphrase(
  { stdin, stderr }: CommandIo,
  options: { readonly twice?: boolean } = {},
): Promise<string> {
  const isTerminal = (stdin as NodeJS.ReadStream).isTTY === true
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: nowhere, terminal: isTerminal })
  const iterator = lines[Symbol.asyncIterator]()
  const ask = async (question: string): Promise<string> => {
    if (isTerminal) stderr.write(question)
    const { value } = await iterator.next()
    if (isTerminal) stderr.write('\n')
    if (typeof value !== 'string' || value === '')
      throw new CommandError('The passphrase is missing; type it, or name a file with --passphrase-file')
    return value
  }
  try {
    const passphrase = await ask('Passphrase: ')
    if (isTerminal && options.twice && (await ask('Passphrase once more: ')) !== passphrase)
      throw new CommandError('The two passphrases are not the same')
    return passphrase
  } finally {
    lines.close()
  }
}
