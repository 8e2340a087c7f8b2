/** Entry: the shell and the pages that exist. A page is a folder in `pages/` and an entry here. */
import './style/base.css'
import './style/controls.css'
import './style/page.css'
import { startShell } from './shell/shell.js'

startShell(document.body, [
  {
    name: 'home',
    title: 'Home',
    line: 'A dancer in a skirt, with and without collision',
    takes: [],
    load: () => import('./pages/home/home-page.js'),
  },
  {
    name: 'cloth',
    title: 'Cloth',
    line: 'Dress a character, blow wind, open your own GLB',
    takes: ['character'],
    load: () => import('./pages/cloth/cloth-page.js'),
  },
  {
    name: 'haptics',
    title: 'Haptics',
    line: 'Press a soft bunny with a soft hand',
    takes: ['soft body'],
    load: () => import('./pages/haptics/haptics-page.js'),
  },
  {
    name: 'self-contact',
    title: 'Self-contact',
    line: 'Pull a soft body that does not pass through itself',
    takes: ['body with self-contact'],
    load: () => import('./pages/self-contact/contact-page.js'),
  },
  {
    name: 'pose-repair',
    title: 'Pose repair',
    line: 'Free a pose whose limbs run into the body',
    takes: ['character with self-contact', 'body with self-contact', 'space of shapes with self-contact'],
    load: () => import('./pages/pose-repair/pose-page.js'),
  },
  {
    name: 'sdf-contact',
    title: 'SDF contact',
    line: 'Drop bunnies, tori and bodies of your own into a tray',
    takes: [],
    load: () => import('./pages/sdf-contact/sdf-contact-page.js'),
  },
  {
    name: 'field',
    title: 'Field',
    line: 'Slice a learned distance field, see its error',
    takes: ['object'],
    load: () => import('./pages/field/field-page.js'),
  },
])
