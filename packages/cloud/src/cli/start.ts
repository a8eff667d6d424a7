import { startCloud } from '../start.ts'
import { type Command, readArguments } from './command.ts'

/** Starts the cloud, in an installed release; `npm start` does so in a clone. */
export const start: Command = {
  name: 'start',
  args: '',
  summary: 'Start the cloud and run it until SIGTERM or SIGINT',
  details: ['Its settings are in the environment, and in the file .env of the working directory.'],
  options: {},
  async run(input) {
    readArguments(input, [])
    await startCloud()
    return undefined
  },
}
