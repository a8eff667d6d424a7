import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { drawPicture, Glasses, PhoneApi, tone } from '@glasses-cloud/phone'
import { sampleCalendarEvent } from '@glasses-cloud/phone/tour'
import type { Locator, Page } from 'playwright-core'
import { browserMissing, startBrowser } from '../support/browser.ts'
import { createAdministrator, openConsole, setSwitch } from '../support/console-rig.ts'
import { type FakeDevices, makeFakeDevices } from '../support/fake-devices.ts'
import { ffmpegMissing } from '../support/media.ts'
import { galleryOf } from '../support/photo-app.ts'
import { suiteScope } from '../support/scope.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { spawnCloud, type TestCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const email = 'ann-marie@ex-ample.com'
const packageName = 'dev.example.tour'

describe('tour app with simulated glasses in a browser', { skip: browserMissing || ffmpegMissing }, () => {
  const scope = suiteScope()
  let cloud: TestCloud
  let devices: FakeDevices
  let tour: SdkApp
  let publicUrl: string
  let phone: PhoneApi
  let token: string
  let page: Page
  let problems: string[]
  /** Paths of requests that failed. */
  const failures: string[] = []

  before(async () => {
    const env = { STREAM_PROVIDER: 'memory' }
    ;[cloud, devices] = await Promise.all([
      spawnCloud(scope, { env }),
      makeFakeDevices(scope, tone(1_000), 'red'),
    ])
    const [started, , browser] = await Promise.all([
      SdkApp.registerSample(scope, cloud, 'tour'),
      SdkApp.registerSample(scope, cloud, 'dashboard'),
      startBrowser(scope, devices.args),
    ])
    tour = started.app
    publicUrl = `http://127.0.0.1:${started.port}`
    ;({ page, problems } = await openConsole(browser, cloud.url))
    page.on('response', (response) => {
      if (response.status() >= 400) failures.push(new URL(response.url()).pathname)
    })
    await createAdministrator(page, email)
    token = await cloud.token(email)
    phone = new PhoneApi({ url: cloud.url, token })

    const companion = new Glasses({ url: cloud.url, token: await cloud.token('companion@ex-ample.com') })
    scope.after(() => companion.disconnect())
    await companion.connect()
    await companion.api.install(packageName)
    await companion.api.startApp(packageName)
    await tour.waitForLine(/^tour: ready, /)
  })

  const lens = (): Locator => page.getByRole('region', { name: 'Lens' })
  const lensIsEmpty = () => lens().getByText('The lens is empty').waitFor({ state: 'attached' })
  const click = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const openTool = async (name: string) => {
    await page.getByRole('tab', { name }).click()
    await page.getByRole('tabpanel', { name }).locator('> *').first().waitFor()
  }
  const choose = (label: string, option: string) => page.getByLabel(label).selectOption(option)
  const say = async (words: string, language: string) => {
    await page.getByText('An app listens to words').waitFor()
    await openTool('Sound')
    await choose('Language', language)
    await page.getByLabel('What you say').fill(words)
    await click('Speak')
  }
  const moveTo = async (lat: string, lng: string) => {
    await openTool('Phone')
    await page.getByLabel('Latitude').fill(lat)
    await page.getByLabel('Longitude').fill(lng)
    await click('Move there')
  }
  /** Records what an element of the lens shows, from now on. */
  const watch = (selector: string, attribute: string) =>
    page.evaluate(
      `globalThis.watched = []
       new MutationObserver(() => {
         const node = document.querySelector(${JSON.stringify(selector)})
         const value = ${attribute === 'text' ? 'node?.textContent' : `node?.getAttribute('${attribute}')`}
         if (value && value !== watched.at(-1)) watched.push(value)
       }).observe(document.querySelector('[aria-label="Lens"]'), {
         subtree: true, childList: true, characterData: true, attributes: true,
       })`,
    )
  const watched = () => page.evaluate<string[]>('globalThis.watched')

  /** What the wearer does in a step: before it, once the lens shows the prompt, and what to see afterwards. */
  interface Step {
    readonly before?: () => Promise<unknown>
    readonly prompt?: string
    readonly act?: () => Promise<unknown>
    readonly outcome?: RegExp
    readonly see?: () => Promise<unknown>
  }
  const shows = (...texts: string[]): Step => ({
    see: async () => {
      for (const text of texts) await lens().getByText(text).waitFor()
    },
  })

  /** Steps that need more than the button. The phone does what glasses cannot: web views, tools, settings, the clock. */
  const steps: Readonly<Record<string, Step>> = {
    'web view': {
      prompt: 'Open the app on the phone',
      act: async () => (await phone.openWebView(packageName)).body?.cancel(),
    },
    tool: {
      prompt: 'Ask your assistant',
      act: () => phone.callTool(packageName, 'show', { text: 'Tea at four' }),
      see: () => lens().getByText('Tea at four').waitFor(),
    },
    'text wall': shows('A wall of text'),
    'double text wall': shows('On the left', 'On the right'),
    'reference card': shows('A title', 'and a text'),
    'dashboard card': shows('12:00', '21 °C'),
    'text with a duration': { see: lensIsEmpty },
    bitmap: {
      see: async () => {
        const picture = lens().getByRole('img', { name: 'Picture on the lens' })
        await picture.waitFor()
        const [box, glass] = [await picture.boundingBox(), await lens().locator('[aria-live]').boundingBox()]
        assert.ok(box && glass)
        assert.ok(Math.abs(box.width / glass.width - 576 / 640) < 0.02, JSON.stringify([box, glass]))
        assert.ok(Math.abs(box.width / box.height - 576 / 135) < 0.1)
        await choose('Model', 'Simulated Glasses')
        await lens().getByText('These glasses cannot.').waitFor()
        await choose('Model', 'Even Realities G1')
        await picture.waitFor()
      },
    },
    clear: { see: lensIsEmpty },
    'bitmap animation': {
      before: () => watch('[aria-label="Lens"] img', 'src'),
      act: async () => {
        await waitFor('its repetition', async () => (await watched()).length >= 3)
        await click('Press the button')
      },
      see: async () => {
        const pictures = await watched()
        assert.ok(pictures.length >= 3 && pictures[0] === pictures[2] && pictures[0] !== pictures[1])
        await lensIsEmpty()
      },
    },
    'dashboard content': {
      prompt: 'Look up',
      act: () => click('Look up'),
      see: async () => {
        await page.getByText('Dashboard', { exact: true }).waitFor()
        await lens().getByText('A line of the tour').waitFor()
        await lens().getByText('Tea').waitFor()
        await click('Look straight')
      },
    },
    'dashboard mode': {
      prompt: 'Look up and double-tap',
      act: async () => {
        await click('Look up')
        await click('Double tap')
      },
      see: () => lens().getByText('More lines of the tour').waitFor(),
    },
    'dashboard content removed': {
      act: async () => {
        await click('Double tap')
        await lens().getByText('More lines of the tour').waitFor({ state: 'detached' })
        await click('Look straight')
      },
    },
    button: {
      prompt: 'Hold the button',
      act: async () => {
        await page.getByLabel('Button', { exact: true }).fill('main')
        await click('Press and hold')
        await page.getByLabel('Button', { exact: true }).fill('next')
      },
      outcome: /long press of main/,
    },
    touch: { prompt: 'Touch the temple', act: () => click('Tap'), outcome: /single_tap/ },
    gesture: { prompt: 'Swipe forward', act: () => click('Swipe forward'), outcome: /forward_swipe/ },
    'head position': {
      prompt: 'Look up and down',
      act: async () => {
        await click('Look up')
        await click('Look straight')
      },
    },
    transcription: {
      prompt: 'Say something',
      act: () => say('The tour app receives every word', 'English'),
      outcome: /6 words/,
    },
    'transcription in German': {
      prompt: 'Say something in German',
      act: () => say('Guten Tag allerseits', 'German'),
      outcome: /3 words of de-DE/,
    },
    translation: { outcome: /^not configured/ },
    'audio chunks': {
      prompt: 'Hum',
      act: async () => {
        await openTool('Sound')
        await page.getByText('The cloud asks for: pcm').waitFor()
        const chooser = page.waitForEvent('filechooser')
        await click('Play a sound file')
        await (await chooser).setFiles(devices.soundFile)
      },
      outcome: /\d{4,} bytes/,
    },
    'voice activity': {
      prompt: 'Start speaking',
      act: async () => {
        await openTool('Sound')
        await click('Somebody starts to speak')
      },
    },
    notification: {
      prompt: 'Wait for a notification',
      act: async () => {
        await openTool('Phone')
        await page.getByLabel('Title').fill('Ada')
        await page.getByLabel('Text', { exact: true }).fill('Tea?')
        await choose('Priority', 'High')
        await click('Send the notification')
      },
      outcome: /from Mail, high/,
    },
    'dismissed notification': {
      prompt: 'Dismiss the notification',
      act: async () => {
        await openTool('Phone')
        await click('Dismiss Ada')
      },
    },
    'glasses battery': {
      prompt: 'Charge the glasses',
      act: async () => {
        await openTool('Power')
        await setSwitch(page, 'Charging', true)
      },
      outcome: /80 %, charging/,
    },
    'phone battery': {
      prompt: 'Charge the phone',
      act: async () => {
        await openTool('Power')
        await setSwitch(page, 'Phone is charging', true)
      },
      outcome: /80 %/,
    },
    'date and time': {
      prompt: 'Wait for the date and time',
      act: () => phone.sendDateTime(new Date().toISOString()),
    },
    'location, once': { before: () => moveTo('48.137154', '11.576124'), outcome: /48.137154, 11.576124/ },
    'location stream': { prompt: 'Walk to the north pole', act: () => moveTo('90', '0') },
    'location stream in real time': { prompt: 'Walk on to the south pole', act: () => moveTo('-90', '0') },
    'visual positioning': {
      prompt: 'Look around',
      act: async () => {
        const seen = {
          deviceModel: 'G1',
          requestId: 'v1',
          x: 1,
          y: 2,
          z: 3,
          qx: 0,
          qy: 0,
          qz: 0,
          qw: 1,
          confidence: 1,
        }
        await openTool('Replay')
        await page
          .getByLabel('Message', { exact: true })
          .fill(JSON.stringify({ type: 'vps_coordinates', ...seen }))
        await click('Send')
      },
      outcome: /1, 2, 3/,
    },
    'photo by the user': {
      prompt: 'Take a photo',
      act: async () => {
        await openTool('Camera')
        await click('Put on Mentra Live')
        await choose('What the camera sees', 'A picture from a file')
        const chooser = page.waitForEvent('filechooser')
        await click('Choose a picture')
        const buffer = drawPicture(0, 'large').jpeg
        await (await chooser).setFiles({ name: 'seen.jpg', mimeType: 'image/jpeg', buffer })
        await page.getByText('The camera sees seen.jpg').waitFor()
        await click('Take a photo')
        await page.getByRole('img', { name: 'Photo 1' }).waitFor()
        await choose('Model', 'Even Realities G1')
      },
    },
    'changed setting': {
      prompt: 'Change the setting',
      act: () => phone.updateAppSettings(packageName, { pace: 'quick' }),
    },
    'phone settings': {
      prompt: 'Increase the brightness',
      act: async () => {
        await openTool('Phone')
        await page.getByRole('slider', { name: 'Brightness of the lens' }).press('End')
      },
      outcome: /brightness 50, then 100/,
    },
    'device state': {
      prompt: 'Close the case',
      act: async () => {
        await openTool('Power')
        await setSwitch(page, 'The case is open', false)
        await click('Report the case')
      },
      outcome: /Even Realities G1, case 60 %, closed/,
    },
    'other glasses': {
      prompt: 'Put on glasses with a camera',
      act: async () => {
        await openTool('Power')
        await click('Leave the network')
        await choose('Model', 'Mentra Live')
        await lens().getByText('These glasses have no display.').waitFor()
      },
      outcome: /Even Realities G1, then Mentra Live/,
    },
    'Wi-Fi': {
      act: async () => {
        await openTool('Power')
        await page.getByText('Streams need Wi-Fi').waitFor()
        await click('Join')
      },
      outcome: /connected to home/,
    },
    'audio playback': {
      outcome: /played for 0.3 s/,
      see: async () => {
        await openTool('Sound')
        await page.getByText('Played, volume 50 %').first().waitFor()
      },
    },
    'missing audio file': { outcome: /cannot be loaded or played \(status 502: .* status 404\)/ },
    'stopped audio': {
      see: async () => {
        await openTool('Sound')
        await page.getByText('The playback was stopped').waitFor()
      },
    },
    'text to speech': {
      // The browser measures the duration while it plays.
      outcome: /^ok: spoken in 1\.\d s$/,
      see: async () => {
        await openTool('Sound')
        await page.getByText('Played, volume 80 %').waitFor()
      },
    },
    LED: {
      before: () => watch('[aria-label="Lens"] [role="status"]', 'text'),
      see: async () => {
        const colors = (await watched()).map((text) => text.replace('The LED is ', ''))
        assert.deepEqual(
          colors.filter((color) => color !== 'off'),
          ['green', 'red', 'blue'],
        )
      },
    },
    'missing LED': {
      before: async () => {
        await openTool('Faults')
        await setSwitch(page, 'Break the LED', true)
      },
      outcome: /device_not_supported/,
    },
    photo: {
      before: async () => {
        await openTool('Camera')
        await choose('What the camera sees', 'The camera of this computer')
        await page.locator('video').waitFor()
      },
      see: async () => {
        const [photo] = await galleryOf(cloud, token)
        assert.ok(photo)
        const pixel = await page.evaluate<number[]>(
          `(async () => {
             const file = await (await fetch('/api/gallery/${photo._id}/file')).blob()
             const picture = await createImageBitmap(file)
             const context = new OffscreenCanvas(320, 240).getContext('2d')
             context.drawImage(picture, 0, 0)
             return [picture.width, picture.height, ...context.getImageData(160, 120, 1, 1).data]
           })()`,
        )
        const [width, height, red = 0, green = 255, blue = 255] = pixel
        assert.deepEqual([width, height], [320, 240])
        assert.ok(red > 200 && green < 60 && blue < 60, String(pixel))
      },
    },
    'photo to a custom URL': {
      // A page may not upload to other hosts: the glasses refuse, and a phone delivers the photo.
      act: async () => {
        await openTool('Camera')
        await page.getByText('This phone may not upload to that host').waitFor()
        const form = new FormData()
        form.set('requestId', 'own')
        form.set('photo', new Blob(['a photo'], { type: 'image/jpeg' }), 'own.jpg')
        const headers = { authorization: 'Bearer photo-token' }
        assert.ok((await fetch(`${publicUrl}/own-photos`, { method: 'POST', headers, body: form })).ok)
      },
    },
    'failed photo': {
      before: async () => {
        await openTool('Faults')
        await setSwitch(page, 'Refuse photos', true)
      },
      outcome: /CAMERA_CAPTURE_FAILED/,
    },
    disconnect: {
      see: () => page.getByRole('button', { name: 'Start Tour' }).waitFor(),
    },
  }

  test('every step of the tour that glasses can do is done through the page', {
    timeout: 300_000,
  }, async () => {
    await page.getByRole('button', { name: 'Install Tour' }).click()
    await page.getByRole('button', { name: 'Start Tour' }).waitFor()
    await page.getByRole('link', { name: 'Glasses', exact: true }).click()
    await choose('Model', 'Even Realities G1')
    await click('Put on')
    await page.getByText('Worn', { exact: true }).waitFor()
    await openTool('Phone')
    await page.getByLabel('Event').fill(sampleCalendarEvent().title)
    await click('Send the event')
    await page.getByText('The event was sent').first().waitFor()
    await click('Start Tour')
    await lens().getByText('Press the button').waitFor()
    await openTool('Buttons')
    await page.getByLabel('Button', { exact: true }).fill('next')

    const ready = await tour.waitForLine(/^tour: ready, /)
    const names = ready.slice(ready.lastIndexOf(': ') + 2).split('; ')
    assert.deepEqual(
      Object.keys(steps).filter((name) => !names.includes(name)),
      [],
    )
    for (const name of names) {
      const { before, prompt, act, outcome = /^ok: /, see } = steps[name] ?? {}
      await before?.()
      await openTool('Buttons')
      await click('Press the button')
      if (prompt !== undefined) await lens().getByText(prompt).waitFor()
      await act?.()
      const line = await tour.waitForLine(new RegExp(`^tour: ${name} (ok|failed|not configured): `))
      assert.match(line.slice(`tour: ${name} `.length), outcome, line)
      await see?.()
    }
    await tour.waitForLine(/^tour: tour complete/)
    // The browser itself reports sounds that are missing, or that were stopped before they were fetched.
    assert.deepEqual(
      failures.filter((path) => !path.startsWith('/api/client/audio/sounds/')),
      [],
    )
    assert.deepEqual(
      problems.filter((problem) => !problem.startsWith('Failed to load resource')),
      [],
    )
  })
})
