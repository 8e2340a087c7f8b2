/** Dense networks from n numbers to m: what a code's distance, a decoder or a small head is made of. */
export { createDenseNetwork, type DenseNetwork } from './dense-network.js'
export { type Activation, type DenseShape, denseMultiplications, denseTensors } from './dense-shape.js'
