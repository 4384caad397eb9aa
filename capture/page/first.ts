// Runs in every document before the page's first script, in the bundle's world: a listener that comes before all of the
// page's own. It does nothing until a control is operated by keys (keys.ts).

import {listenFirst} from './first_listener';

listenFirst();
