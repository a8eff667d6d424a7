import { getPlaybackFile } from './get-playback-file.ts'
import { getPlayer } from './get-player.ts'
import { getPlayerAsset } from './get-player-asset.ts'
import type { PlaybackDeps } from './playback-input.ts'

/** The player page, and the playlists, segments and thumbnail behind it. */
export const playbackEndpoints = (deps: PlaybackDeps) => [
  getPlayerAsset,
  getPlayer(deps),
  getPlaybackFile(deps),
]
