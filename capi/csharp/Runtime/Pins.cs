using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Playmat
{
    /// <summary>Arrays that stay alive and where they are for as long as the library may read or write them.</summary>
    internal sealed class Pins
    {
        private readonly List<GCHandle> held = new List<GCHandle>();

        /// <summary>Holds an array; null has no address.</summary>
        internal unsafe void* Add(Array array)
        {
            if (array == null || array.Length == 0)
                return null;
            GCHandle pin = GCHandle.Alloc(array, GCHandleType.Pinned);
            held.Add(pin);
            return (void*)pin.AddrOfPinnedObject();
        }

        /// <summary>Lets all go. Twice is as good as once.</summary>
        internal void Free()
        {
            for (int i = 0; i < held.Count; i++)
                held[i].Free();
            held.Clear();
        }
    }
}
