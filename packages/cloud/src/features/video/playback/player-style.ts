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
