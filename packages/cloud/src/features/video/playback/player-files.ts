/** The player page. Everything it loads comes from this server. */
export const PLAYER_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>Live stream</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="../player/player.css">
  </head>
  <body>
    <video id="video" controls autoplay muted playsinline></video>
    <p id="status" role="status">Connecting …</p>
    <script src="../player/hls.js"></script>
    <script src="../player/player.js"></script>
  </body>
</html>
`

/** The style of the player page. */
export const PLAYER_STYLE = `html,
body {
  height: 100%;
  margin: 0;
  background: #000;
  color: #fff;
  font-family: system-ui, sans-serif;
}

video {
  width: 100%;
  height: 100%;
  object-fit: contain;
}

#status {
  position: fixed;
  inset: auto 0 4rem;
  margin: 0;
  text-align: center;
  pointer-events: none;
}
`

/** The script of the player page. A string, because the cloud may run from a bundle, which contains no other files. */
export const PLAYER_SCRIPT = `// Plays the stream of the page's path: with hls.js, or with the browser's own player where that is all there is.
const video = document.getElementById('video')
const status = document.getElementById('status')
const source = \`\${location.pathname.replace(/\\/+$/, '')}/master.m3u8\`

/** Pause before a stream that is not there is requested again. */
const RETRY_MS = 2_000

/** A media error that comes back within this time is not recovered from again, in ms. */
const RECOVERY_MS = 10_000

/** Seconds behind the live edge that playback aims at. */
const DELAY_SECONDS = 2

function show(text) {
  status.textContent = text
  status.hidden = text === ''
}

function start() {
  video.play().catch(() => show('Press play to watch'))
}

let recoveredAt = 0

function playWithHls() {
  const hls = new Hls({
    lowLatencyMode: true,
    liveSyncDuration: DELAY_SECONDS,
    liveMaxLatencyDuration: DELAY_SECONDS + 6,
    maxLiveSyncPlaybackRate: 1.3,
    backBufferLength: 30,
    enableWorker: false,
  })
  // A playlist that was complete when it was loaded last is played to its end, without an error.
  const again = () => {
    video.removeEventListener('ended', again)
    hls.destroy()
    retry(playWithHls)
  }
  video.addEventListener('ended', again)
  hls.on(Hls.Events.MANIFEST_PARSED, start)
  hls.on(Hls.Events.ERROR, (_, { type, fatal }) => {
    if (!fatal) return
    if (type === Hls.ErrorTypes.MEDIA_ERROR && Date.now() - recoveredAt > RECOVERY_MS) {
      recoveredAt = Date.now()
      return hls.recoverMediaError()
    }
    again()
  })
  hls.loadSource(source)
  hls.attachMedia(video)
}

function playNatively() {
  video.addEventListener('loadedmetadata', start)
  for (const event of ['error', 'ended']) video.addEventListener(event, () => retry(loadNatively))
  loadNatively()
}

function loadNatively() {
  video.src = source
}

/** Tells whether the stream has ended, or has not started, and tries again in the latter case. */
async function retry(play) {
  const page = await fetch(location.href, { cache: 'no-store' }).catch(() => undefined)
  if (page?.status === 404) return show('The stream has ended')
  show('Waiting for the stream …')
  setTimeout(play, RETRY_MS)
}

video.addEventListener('playing', () => show(''))
if (globalThis.Hls?.isSupported()) playWithHls()
else if (video.canPlayType('application/vnd.apple.mpegurl')) playNatively()
else show('This browser cannot play the stream')
`
