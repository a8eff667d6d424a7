import assert from 'node:assert/strict'
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { Glasses } from '@glasses-cloud/phone'
import { SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { startAppServer } from '../support/app-server.ts'
import { cli } from '../support/cli.ts'
import { installModel, runModels, temporaryModel } from '../support/install-model.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { ENGLISH, type TinyModelFolder, toneSpeech } from '../support/tiny-speech-models/index.ts'
import { waitFor } from '../support/wait-for.ts'

const PACKAGE = 'dev.example.listener'
const WORDS = ENGLISH.words.map(({ word }) => word)
/** After an utterance, so that it ends. */
const PAUSE_MS = 1_200
/** Restarts after growing delays, and on a slow machine. */
const RECOGNIZED = { timeoutMs: 40_000 }

/** Three words that are said at no other time. */
const sentence = (number: number) =>
  [9, 3, 1].map((place) => String(WORDS[Math.floor(number / place) % WORDS.length]))

const soundOf = (words: readonly string[]) =>
  toneSpeech(words, { language: ENGLISH, leadMs: 200, tailMs: PAUSE_MS, amplitude: 0.5 }).pcm

/** A wearer who speaks, and an app that listens, on real sockets and with the real recognizer. */
class Conversation {
  readonly cloud: LocalCloud
  readonly glasses: Glasses
  readonly model: TinyModelFolder
  /** What the app must have received, in this order. */
  readonly recognized: string[] = []
  #sentences = 0
  readonly #t: TestContext
  readonly #apps: SocketClient[] = []
  #init: Record<string, string> = {}

  private constructor(t: TestContext, cloud: LocalCloud, glasses: Glasses, model: TinyModelFolder) {
    this.#t = t
    this.cloud = cloud
    this.glasses = glasses
    this.model = model
  }

  static async start(t: TestContext): Promise<Conversation> {
    const cloud = await startCloud(t, { env: { LOG_LEVEL: 'warn' } })
    const model = await installModel(t, cloud, 'streamingEnglish')
    const glasses = new Glasses({ url: cloud.url, token: await cloud.token('ada@example.com') })
    t.after(() => glasses.disconnect())
    const conversation = new Conversation(t, cloud, glasses, model)
    const server = await startAppServer(t, PACKAGE)
    server.behavior = 'never-connect'
    const { apiKey } = await cloud.registerApp({
      packageName: PACKAGE,
      publicUrl: server.url,
      permissions: [{ type: 'MICROPHONE' }],
    })
    await glasses.connect()
    glasses.send({ type: 'start_app', packageName: PACKAGE })
    const { sessionId } = await server.called('session_request')
    conversation.#init = { type: 'tpa_connection_init', packageName: PACKAGE, apiKey, sessionId }
    await conversation.connectApp()
    await glasses.waitForMicrophone('pcm', RECOGNIZED)
    return conversation
  }

  async connectApp(): Promise<void> {
    this.#apps.at(-1)?.ws.terminate()
    const app = await SocketClient.open(this.#t, `${this.cloud.wsUrl}/app-ws`)
    app.send(this.#init)
    await app.next('tpa_connection_ack')
    app.send({ type: 'subscription_update', subscriptions: ['transcription:en-US'] })
    this.#apps.push(app)
  }

  /** Ends the recognizer as a crash of native code or the system would. */
  crash(signal: NodeJS.Signals): void {
    const pids = this.cloud.cloud.features.stt.recognizers.pids()
    assert.ok(pids.length > 0, 'a recognizer runs')
    for (const pid of pids) process.kill(pid, signal)
  }

  /** Says three words, and does something when half of them are heard. */
  async say(during?: () => unknown): Promise<string> {
    const words = sentence(this.#sentences)
    this.#sentences += 1
    const pcm = soundOf(words)
    const half = (pcm.byteLength / 4) & ~1
    await this.glasses.playAudio(pcm.subarray(0, half))
    await during?.()
    await this.glasses.playAudio(pcm.subarray(half))
    return words.join(' ')
  }

  /** Says three words that the app must receive. */
  async sayAndReceive(during?: () => unknown): Promise<void> {
    const words = await this.say(during)
    this.recognized.push(words)
    await waitFor(`"${words}"`, () => this.received.at(-1) === words)
  }

  /** Says something that the phone recognizes. */
  async speakOnPhone(text: string): Promise<void> {
    this.recognized.push(text)
    await this.glasses.speak(text)
    await waitFor(`"${text}"`, () => this.received.at(-1) === text)
  }

  /** The final texts that the app received on all its sockets. */
  get received(): string[] {
    return this.#apps
      .flatMap((app) => app.of('data_stream'))
      .flatMap(({ data }) => {
        const { isFinal, text } = data as { isFinal: boolean; text: string }
        return isFinal ? [text] : []
      })
  }
}

describe('the local recognizer through faults', () => {
  test('speech arrives completely, once and in order through ten faults', async (t) => {
    const conversation = await Conversation.start(t)
    const { glasses, cloud, model } = conversation
    await conversation.sayAndReceive()

    // 1: the recognizer ends when nothing is said.
    conversation.crash('SIGKILL')
    await conversation.sayAndReceive()
    // 2 and 3: it ends in an utterance.
    await conversation.sayAndReceive(() => conversation.crash('SIGKILL'))
    await conversation.sayAndReceive(() => conversation.crash('SIGSEGV'))
    // 4 and 5: app and phone lose their connections.
    await conversation.sayAndReceive(() => conversation.connectApp())
    await conversation.sayAndReceive(async () => {
      glasses.loseConnection()
      await waitFor('the connection', () => glasses.isConnected)
    })

    // 6: a file of the model is truncated on this node, and the recognizer must load it again.
    const copies = join(String(cloud.env.DATA_DIR), 'speech-models/models')
    const [copy] = await readdir(copies)
    await truncate(join(copies, String(copy), String(model.model.files[0]?.name)), 100)
    await conversation.sayAndReceive(() => conversation.crash('SIGKILL'))

    // 7: a model whose file has another hash than its manifest says is refused.
    const damaged = await temporaryModel(t, 'offlineEnglish')
    const file = join(damaged.folder, String(damaged.model.files[0]?.name))
    const content = await readFile(file)
    content[content.byteLength - 1] = (content.at(-1) ?? 0) ^ 1
    await writeFile(file, content)
    const refused = await cli(cloud.env, 'models', 'add', damaged.folder)
    assert.notEqual(refused.code, 0)
    assert.match(refused.err, /SHA-256|hash/)
    await conversation.sayAndReceive()

    // 8: the model is removed in an utterance. The phone recognizes until it is installed again.
    await conversation.say(() => runModels(cloud, 'remove', model.model.id))
    await glasses.waitForMicrophone('transcription', RECOGNIZED)
    await conversation.speakOnPhone('without a model')
    await runModels(cloud, 'add', model.folder)
    await glasses.waitForMicrophone('pcm', RECOGNIZED)
    await conversation.sayAndReceive()

    // 9: another model comes first and needs more memory than there is.
    const german = await temporaryModel(t, 'streamingGerman')
    const manifest = join(german.folder, 'model.json')
    const large = { ...german.model, languages: ['en'], memoryBytes: 2 ** 40 }
    await writeFile(manifest, JSON.stringify(large))
    await runModels(cloud, 'add', german.folder)
    await runModels(cloud, 'remove', model.model.id)
    await conversation.say()
    await glasses.waitForMicrophone('transcription', RECOGNIZED)
    await conversation.speakOnPhone('for want of memory')
    assert.match(
      JSON.stringify(cloud.logged),
      /tiny-streaming-de needs 1048576 MB of memory, and \d+ MB are free/,
    )
    await runModels(cloud, 'remove', german.model.id)
    await runModels(cloud, 'add', model.folder)
    // Until then the phone recognizes too.
    await waitFor('the recognizer', () => glasses.requiredData.join() === 'pcm')
    await conversation.sayAndReceive()

    // 10: halves of a sample in frames of their own, and a bang.
    for (const half of [1, 2]) await glasses.sendAudioFrame(Buffer.from([half]))
    await glasses.sendAudioFrame(Buffer.alloc(640, 0x7f))
    await conversation.sayAndReceive()
    const { received, recognized } = conversation
    assert.deepEqual(
      received.filter((text) => recognized.includes(text)),
      recognized,
    )
  })
})
