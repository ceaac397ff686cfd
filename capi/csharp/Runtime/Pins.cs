using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Playmat
{
    /// <summary>Arrays that are pinned as long as the library may read or write them.</summary>
    internal sealed class Pins
    {
        private readonly List<GCHandle> pins = new List<GCHandle>();

        /// <summary>Pins an array; null has no address.</summary>
        internal unsafe void* Add(Array array)
        {
            if (array == null || array.Length == 0)
                return null;
            GCHandle pin = GCHandle.Alloc(array, GCHandleType.Pinned);
            pins.Add(pin);
            return (void*)pin.AddrOfPinnedObject();
        }

        /// <summary>Unpins all arrays. A second call does nothing.</summary>
        internal void Free()
        {
            for (int i = 0; i < pins.Count; i++)
                pins[i].Free();
            pins.Clear();
        }
    }
}
