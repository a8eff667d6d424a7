import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Scope } from './scope.ts'

/** A message as the mail server received it. */
export interface ReceivedMail {
  readonly from: string
  readonly to: string
  /** Headers and body, with the lines of quoted-printable joined. */
  readonly text: string
}

/**
 * A mail server that speaks SMTP (RFC 5321) and keeps the messages.
 * @param rejects whether it rejects every recipient
 * @param delays number of recipients that it rejects for now, as servers do that do not know the sender
 */
export async function startMailServer(scope: Scope, { rejects = false, delays = 0 } = {}) {
  let delayed = 0
  const refusal = () => {
    if (rejects) return '550 5.1.1'
    delayed += 1
    return delayed <= delays ? '451 4.7.1' : undefined
  }
  const mails: ReceivedMail[] = []
  const waiting: (() => void)[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    serve(socket, refusal, (mail) => {
      mails.push(mail)
      for (const resolve of waiting.splice(0)) resolve()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    /** Resolves with the next message to an address, with `part` in its text, that was not returned before. */
    async next(to: string, part = ''): Promise<ReceivedMail> {
      for (;;) {
        const index = mails.findIndex((mail) => mail.to === to && mail.text.includes(part))
        const [mail] = index === -1 ? [] : mails.splice(index, 1)
        if (mail !== undefined) return mail
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
  }
}

function serve(
  socket: Socket,
  refusal: () => string | undefined,
  received: (mail: ReceivedMail) => void,
): void {
  let [from, to] = ['', '']
  let data: string[] | undefined
  socket.write('220 test\r\n')
  const lines = createInterface({ input: socket }).on('error', () => {})
  lines.on('line', (line) => {
    if (data !== undefined) {
      if (line !== '.') return void data.push(line)
      received({ from, to, text: data.join('\n').replaceAll('=\n', '').replaceAll('=3D', '=') })
      data = undefined
      socket.write('250 OK\r\n')
      return
    }
    const address = /<(.*)>/.exec(line)?.[1] ?? ''
    if (line.startsWith('MAIL')) from = address
    if (line.startsWith('RCPT')) to = address
    const refused = line.startsWith('RCPT') ? refusal() : undefined
    if (refused !== undefined) return void socket.write(`${refused} <${to}> is refused\r\n`)
    if (line === 'DATA') data = []
    socket.write(line === 'DATA' ? '354 go on\r\n' : '250 OK\r\n')
    if (line === 'QUIT') socket.end()
  })
}

/** Returns the token in the link of a message. */
export function tokenIn({ text }: Pick<ReceivedMail, 'text'>): string {
  const token = /#token=([^\s&]+)/.exec(text)?.[1]
  if (token === undefined) throw new Error(`the message has no link: ${text}`)
  return decodeURIComponent(token)
}
