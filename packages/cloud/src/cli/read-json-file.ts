import { readFile } from 'node:fs/promises'
import { CommandError } from './command.ts'

/** Reads a JSON file that the user names. @throws CommandError if it cannot be read or is not valid JSON */
export async function readJsonFile(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read (${error.code})`)
  })
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandError(
      `${file} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
