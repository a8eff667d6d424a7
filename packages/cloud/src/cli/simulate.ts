import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type Config, loadAuthSecret } from '../config/index.ts'
import { openDatabase } from '../db/index.ts'
import { startPocketsphinxServer } from '../features/stt/index.ts'
import { AuthorityStore, describeCertificate, readKeyPair, trustRoots } from '../tls/index.ts'
import { type Command, print, readArguments, textOption, UsageError } from './command.ts'
import { issueToken, withOperator } from './operator.ts'

/** Connects simulated glasses for a user, operated in this terminal. */
export const simulate: Command = {
  name: 'simulate',
  args: '--email EMAIL [--url URL] [--model NAME] [--dialect flat|envelope] [--publish FILE|testsrc]',
  summary: 'Operate simulated glasses in this terminal',
  details: [
    '--email EMAIL     the user of the glasses, created if there is no such user',
    '--url URL         address of the cloud; default: PUBLIC_URL, or this machine',
    '--model NAME      glasses model; default: Simulated Glasses',
    '--dialect NAME    form of messages: flat or envelope',
    '--publish SOURCE  publish real video when an app starts a stream: testsrc for a test picture, or a media file;',
    '                  needs ffmpeg',
  ],
  options: {
    email: { type: 'string' },
    url: { type: 'string' },
    model: { type: 'string' },
    dialect: { type: 'string' },
    publish: { type: 'string' },
  },
  async run(input) {
    readArguments(input, [])
    const email = textOption(input, 'email')
    if (email === undefined) throw new UsageError('--email is missing')
    const dialect = textOption(input, 'dialect')
    if (dialect !== undefined && dialect !== 'flat' && dialect !== 'envelope') {
      throw new UsageError('--dialect must be flat or envelope')
    }
    const urlOption = textOption(input, 'url')
    if (urlOption !== undefined && !/^(http|ws)s?:$/.test(URL.parse(urlOption)?.protocol ?? '')) {
      throw new UsageError('--url must be a URL such as http://127.0.0.1:8080')
    }
    const publish = textOption(input, 'publish')
    if (publish !== undefined && publish !== 'testsrc' && !existsSync(publish)) {
      throw new UsageError(`--publish must be testsrc or a media file (got "${publish}")`)
    }
    const config = input.config()
    const url = urlOption ?? (await ownUrl(config))
    const token = await withOperator(config, (operator) => issueToken(operator, email))
    const model = textOption(input, 'model')
    // Loaded here to keep other commands fast.
    const terminal = await import('@glasses-cloud/phone/terminal')
    await terminal.simulate({
      url,
      token,
      email,
      ...(model !== undefined && { model }),
      ...(dialect !== undefined && { dialect }),
      ...(publish !== undefined && { publish }),
      input: input.io.stdin,
      output: input.io.stdout,
    })
  },
}

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
  },
}

/**
 * Returns the address at which a command of this machine reaches the cloud: `PUBLIC_URL`, otherwise the port on this
 * machine, under a name of the certificate. With `TLS=local` this process then trusts its authority.
 */
async function ownUrl(config: Config): Promise<string> {
  const { http, tls } = config
  if (tls.mode === 'local') await trustAuthority(config)
  if (http.publicUrl) return http.publicUrl.href
  switch (tls.mode) {
    case 'off':
      return `http://127.0.0.1:${http.port}`
    case 'auto':
      return `https://${tls.hosts[0]}:${http.port}`
    case 'local':
      return `https://localhost:${http.port}`
    case 'files': {
      const { names } = describeCertificate((await readKeyPair(tls)).certificate)
      return `https://${tls.hosts[0] ?? names[0] ?? 'localhost'}:${http.port}`
    }
  }
}

async function trustAuthority({ auth, data }: Config): Promise<void> {
  const db = await openDatabase({ databaseUrl: data.databaseUrl, dataDir: data.dir })
  try {
    const authority = await new AuthorityStore(db, [await loadAuthSecret(auth.secret, data.dir)]).find()
    if (authority) trustRoots([authority.certificate])
  } finally {
    await db.destroy()
  }
}
