import { once } from 'node:events'
import { startPocketsphinxServer } from '../features/stt/index.ts'
import { type Command, print, readArguments, textOption, UsageError } from './command.ts'

/** Runs a local speech recognizer until the process is terminated. */
export const recognizer: Command = {
  name: 'recognizer',
  args: '[--port 10300] [--host 127.0.0.1]',
  summary: 'Run a local recognizer for English speech, to try captions without an account',
  details: [
    'Speaks the Wyoming protocol; set STT_PROVIDERS=wyoming and WYOMING_URL=tcp://127.0.0.1:10300.',
    'Requires the Debian packages pocketsphinx and pocketsphinx-en-us.',
    '--port PORT   port to listen on; default: 10300',
    '--host HOST   address to listen on; default: 127.0.0.1',
  ],
  options: { port: { type: 'string' }, host: { type: 'string' } },
  async run(input) {
    readArguments(input, [])
    const port = Number(textOption(input, 'port') ?? 10_300)
    if (!Number.isInteger(port) || port < 0 || port > 65_535)
      throw new UsageError('--port must be a port number from 0 to 65535')
    const host = textOption(input, 'host') ?? '127.0.0.1'
    const server = await startPocketsphinxServer({ host, port })
    print(input, `The recognizer is ready at tcp://${host}:${server.port}`)
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    await server.close()
    return undefined
  },
}
