// As much of Unity as the sample of the package names, so that it is compiled in the tests.
namespace UnityEngine
{
    public class MonoBehaviour
    {
    }

    public sealed class SerializeField : System.Attribute
    {
    }

    public static class Debug
    {
        public static void LogWarning(object message)
        {
        }
    }
}
